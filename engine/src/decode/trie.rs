//! A token trie of all possible answers, each with its end token, so that no answer is a prefix of another.
//!
//! An answer's probability is the product of the model's probabilities at the nodes where answers part, each taken among that
//! node's children alone: the probabilities of all leaves sum to one, whatever the lengths. Nodes with one child cost nothing.

use std::collections::BTreeMap;

#[derive(Clone, Debug, Default)]
struct Node {
    /// Child by token.
    children: BTreeMap<u32, usize>,
    /// The answer that ends here.
    leaf: Option<usize>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Trie {
    nodes: Vec<Node>,
    leaves: usize,
}

/// A branch this unlikely is not asked about: its answers share its probability evenly. What that can shift is bounded by it.
const NEGLIGIBLE: f32 = 1e-3;

/// The model's view of the answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LeafScores {
    /// Probability of each answer among all answers; sums to one.
    pub probabilities: Vec<f32>,
}

/// A node at which answers part: the model is asked which of `tokens` follows `prefix`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fork {
    /// From the root to the node.
    pub prefix: Vec<u32>,
    /// The node's children, ascending.
    pub tokens: Vec<u32>,
}

impl Trie {
    /// Builds the trie of `answers`; each is closed with `end`. Equal answers must have been joined by the caller.
    pub fn new(answers: &[Vec<u32>], end: u32) -> Self {
        let mut trie = Self { nodes: vec![Node::default()], leaves: answers.len() };
        for (leaf, answer) in answers.iter().enumerate() {
            let mut at = 0;
            for token in answer.iter().copied().chain([end]) {
                at = match trie.nodes[at].children.get(&token) {
                    Some(child) => *child,
                    None => {
                        let child = trie.nodes.len();
                        trie.nodes.push(Node::default());
                        trie.nodes[at].children.insert(token, child);
                        child
                    }
                };
            }
            trie.nodes[at].leaf = Some(leaf);
        }
        trie
    }

    /// The tokens that answers begin with, ascending.
    pub fn first_tokens(&self) -> Vec<u32> {
        self.tokens(0)
    }

    /// The probabilities of all answers. `root` holds the logits of [`first_tokens`](Self::first_tokens) where the answer starts; `ask`
    /// is called once a level with all likely nodes at which answers part, and returns the logits of each one's tokens.
    pub fn score<E>(
        &self,
        root: &[f32],
        mut ask: impl FnMut(&[Fork]) -> Result<Vec<Vec<f32>>, E>,
    ) -> Result<LeafScores, E> {
        let mut probabilities = vec![0.0; self.leaves];
        let mut open = vec![Open { node: 0, prefix: Vec::new(), probability: 1.0 }];
        let mut logits = vec![root.to_vec()];
        loop {
            let mut next = Vec::new();
            for (at, row) in open.iter().zip(&logits) {
                let among = log_sum_exp(row.iter().copied());
                for ((token, child), logit) in self.nodes[at.node].children.iter().zip(row) {
                    let probability = at.probability * (logit - among).exp();
                    let mut prefix = at.prefix.clone();
                    prefix.push(*token);
                    next.push(self.descend(Open { node: *child, prefix, probability }));
                }
            }
            open.clear();
            for at in next {
                match self.nodes[at.node].leaf {
                    Some(leaf) => probabilities[leaf] = at.probability,
                    None if at.probability < NEGLIGIBLE => self.share(&at, &mut probabilities),
                    None => open.push(at),
                }
            }
            if open.is_empty() {
                return Ok(LeafScores { probabilities });
            }
            let fork = |at: &Open| Fork { prefix: at.prefix.clone(), tokens: self.tokens(at.node) };
            logits = ask(&open.iter().map(fork).collect::<Vec<_>>())?;
        }
    }

    /// What a model that knows nothing would give: all tokens alike at each node.
    pub fn uniform(&self) -> LeafScores {
        let nothing = |forks: &[Fork]| {
            Ok::<_, std::convert::Infallible>(forks.iter().map(|fork| vec![0.0; fork.tokens.len()]).collect())
        };
        match self.score(&vec![0.0; self.nodes[0].children.len()], nothing) {
            Ok(scores) => scores,
            Err(never) => match never {},
        }
    }

    fn tokens(&self, node: usize) -> Vec<u32> {
        self.nodes[node].children.keys().copied().collect()
    }

    /// Down to the next node where answers part or one ends: what lies between is certain.
    fn descend(&self, mut at: Open) -> Open {
        loop {
            let node = &self.nodes[at.node];
            match node.children.first_key_value() {
                Some((token, child)) if node.children.len() == 1 => {
                    at.prefix.push(*token);
                    at.node = *child;
                }
                _ => return at,
            }
        }
    }

    fn share(&self, at: &Open, probabilities: &mut [f32]) {
        let mut leaves = Vec::new();
        self.each_leaf(at.node, &mut |leaf| leaves.push(leaf));
        for leaf in &leaves {
            probabilities[*leaf] = at.probability / leaves.len() as f32;
        }
    }

    fn each_leaf(&self, node: usize, visit: &mut impl FnMut(usize)) {
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            if let Some(leaf) = self.nodes[at].leaf {
                visit(leaf);
            }
            open.extend(self.nodes[at].children.values());
        }
    }
}

/// A node that has been reached, the way to it and how likely it is.
struct Open {
    node: usize,
    prefix: Vec<u32>,
    probability: f32,
}

fn log_sum_exp(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = values.clone().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY { most } else { most + values.map(|value| (value - most).exp()).sum::<f32>().ln() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail loudly")]
    use super::{Fork, Trie};
    use std::convert::Infallible;

    #[test]
    fn prefixes_are_told_apart_by_their_end() {
        let trie = Trie::new(&[vec![1], vec![1, 2], vec![3]], 9);
        assert_eq!(trie.first_tokens(), [1, 3]);
        let scores = trie
            .score(&[1.0, 0.0], |forks| {
                assert_eq!(forks, [Fork { prefix: vec![1], tokens: vec![2, 9] }]);
                Ok::<_, Infallible>(vec![vec![2.0, 0.0]])
            })
            .unwrap();
        let e = std::f32::consts::E;
        let one = e / (e + 1.0);
        let expected = [one / (1.0 + e * e), one * e * e / (1.0 + e * e), 1.0 / (e + 1.0)];
        for (found, expected) in scores.probabilities.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{scores:?}");
        }
    }

    #[test]
    fn what_is_certain_or_negligible_is_not_asked() {
        let trie = Trie::new(&[vec![1, 5, 6, 7], vec![1, 5, 6, 8], vec![2, 1], vec![2, 3]], 0);
        let mut asked = Vec::new();
        let scores = trie
            .score(&[20.0, 0.0], |forks| {
                asked.extend(forks.to_vec());
                Ok::<_, Infallible>(vec![vec![0.0; 2]; forks.len()])
            })
            .unwrap();
        assert_eq!(asked, [Fork { prefix: vec![1, 5, 6], tokens: vec![7, 8] }]);
        assert!((scores.probabilities.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(scores.probabilities[2], scores.probabilities[3]);
    }

    #[test]
    fn uniform_logits_know_only_the_shape() {
        let scores = Trie::new(&[vec![1, 2, 3], vec![4], vec![5, 6], vec![5, 7]], 0).uniform();
        let expected = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0];
        for (found, expected) in scores.probabilities.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{scores:?}");
        }
    }
}
