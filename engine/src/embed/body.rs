//! What both forms of encoder are: embeddings and layers of a BERT (Devlin et al.: BERT, NAACL 2019), run on the engine's own kernels.

use crate::{
    EngineError,
    backend::{
        Backend,
        cpu::{Cpu, Matrix, Weight},
    },
};

/// Tokens that are computed at once; more only take memory.
const BATCH: usize = 512;

/// A loaded encoder without its tokenizer.
pub(super) struct Body {
    pub cpu: Cpu,
    /// The tokens' embeddings.
    pub words: Weight,
    /// A row for each position.
    pub positions: Vec<f32>,
    /// The embedding of the first kind of segment, the only one that is used.
    pub kind: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
    pub heads: usize,
}

/// Normalisation of a row.
pub(super) struct Norm {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
    pub epsilon: f32,
}

pub(super) struct Linear {
    pub weight: Weight,
    pub bias: Vec<f32>,
}

pub(super) struct Layer {
    pub queries: Linear,
    pub keys: Linear,
    pub values: Linear,
    pub output: Linear,
    pub attention_norm: Norm,
    pub inner: Linear,
    pub outer: Linear,
    pub norm: Norm,
}

impl Body {
    /// Values of an embedding.
    pub fn width(&self) -> usize {
        self.kind.len()
    }

    /// Most tokens of a text, begin and end among them.
    pub fn longest(&self) -> usize {
        self.positions.len() / self.width()
    }

    /// Mean over the tokens of each text, in order; none has more than [`Body::longest`]. A text's mean has the same bits whatever
    /// others are computed with it, so that vectors that are kept do not depend on the order of questions.
    ///
    /// # Errors
    /// When there is no memory left.
    pub fn means(&self, texts: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, EngineError> {
        let (mut means, mut rest) = (Vec::with_capacity(texts.len()), texts);
        while !rest.is_empty() {
            let mut tokens = 0;
            let fits = |text: &&Vec<u32>| {
                tokens += text.len();
                tokens <= BATCH
            };
            let (batch, behind) = rest.split_at(rest.iter().take_while(fits).count().max(1));
            means.extend(self.batch(batch)?);
            rest = behind;
        }
        Ok(means)
    }

    fn batch(&self, texts: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, EngineError> {
        let (cpu, width) = (&self.cpu, self.width());
        let lengths: Vec<usize> = texts.iter().map(Vec::len).collect();
        let mut states = cpu.embed(&self.words, &texts.concat())?;
        let positions = texts.iter().flat_map(|text| self.positions.chunks_exact(width).take(text.len()));
        for (state, position) in states.values.chunks_exact_mut(width).zip(positions) {
            let added = position.iter().zip(&self.kind);
            state.iter_mut().zip(added).for_each(|(state, (position, kind))| *state += position + kind);
        }
        self.norm.apply(cpu, &mut states);
        for layer in &self.layers {
            layer.apply(cpu, &mut states, &lengths, width / self.heads)?;
        }
        let mut rows = states.values.chunks_exact(width);
        let mean = |length: &usize| {
            let mut mean = vec![0.0; width];
            for row in rows.by_ref().take(*length) {
                mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value);
            }
            mean.iter_mut().for_each(|value| *value /= *length as f32);
            mean
        };
        Ok(lengths.iter().map(mean).collect())
    }
}

impl Norm {
    fn apply(&self, cpu: &Cpu, states: &mut Matrix) {
        cpu.layer_norm(states, &self.weight, &self.bias, self.epsilon);
    }
}

impl Linear {
    fn apply(&self, cpu: &Cpu, x: &Matrix) -> Result<Matrix, EngineError> {
        let [mut y] = cpu.matmul(x, [&self.weight])?;
        cpu.add_bias(&mut y, &self.bias)?;
        Ok(y)
    }
}

impl Layer {
    fn apply(&self, cpu: &Cpu, states: &mut Matrix, lengths: &[usize], size: usize) -> Result<(), EngineError> {
        let parts = [&self.queries, &self.keys, &self.values];
        let mut found = cpu.matmul(states, parts.map(|linear| &linear.weight))?;
        for (part, linear) in found.iter_mut().zip(parts) {
            cpu.add_bias(part, &linear.bias)?;
        }
        let seen = cpu.attend_all(found.each_ref(), lengths, size);
        cpu.add(states, &self.output.apply(cpu, &seen)?)?;
        self.attention_norm.apply(cpu, states);
        let mut inner = self.inner.apply(cpu, states)?;
        cpu.gelu(&mut inner);
        cpu.add(states, &self.outer.apply(cpu, &inner)?)?;
        self.norm.apply(cpu, states);
        Ok(())
    }
}
