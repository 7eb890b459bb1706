//! Likeness about a centre.

/// Vectors of one origin, seen from their mean. Hidden states of a model share a large common part, and so do the embeddings of an
/// encoder that was trained on much; what tells them apart is what is left without it.
#[derive(Clone, Debug)]
pub struct Space {
    centre: Vec<f32>,
}

impl Space {
    /// The space about the mean of these vectors, all of one length.
    pub fn about<'a>(vectors: impl IntoIterator<Item = &'a [f32]>) -> Self {
        let mut centre: Vec<f32> = Vec::new();
        let mut count = 0.0_f32;
        for vector in vectors {
            centre.resize(centre.len().max(vector.len()), 0.0);
            centre.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
            count += 1.0;
        }
        centre.iter_mut().for_each(|sum| *sum /= count.max(1.0));
        Self { centre }
    }

    /// The direction of a vector from the centre, of unit length; zero where it is the centre.
    pub fn direction(&self, vector: &[f32]) -> Vec<f32> {
        let mut from: Vec<f32> = vector.iter().zip(&self.centre).map(|(value, centre)| value - centre).collect();
        let length = from.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            from.iter_mut().for_each(|value| *value /= length);
        }
        from
    }
}

/// Cosine of two directions, -1 to 1.
pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::{Space, cosine};

    #[test]
    fn what_is_common_to_all_does_not_count() {
        let vectors: [&[f32]; 4] = [&[10.0, 1.0], &[10.0, -1.0], &[12.0, 0.0], &[8.0, 0.0]];
        let space = Space::about(vectors);
        let [up, down, right, _] = vectors.map(|vector| space.direction(vector));
        assert!((cosine(&up, &down) + 1.0).abs() < 1e-6 && cosine(&up, &right).abs() < 1e-6);
        assert_eq!(space.direction(&[10.0, 0.0]), [0.0, 0.0]);
        assert!(Space::about(Vec::<&[f32]>::new()).direction(&[1.0]).is_empty());
    }
}
