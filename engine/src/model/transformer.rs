//! The forward pass, on whatever backend.

use super::{Arithmetic, Config, Forward, Rows, Segment, file::ModelFile, quantised::Tensor};
use crate::{
    EngineError,
    backend::{Backend, Span},
    kv::{KeyValues, KvPrecision, Placed},
};

/// Weights on a backend.
pub struct Transformer<B: Backend> {
    backend: B,
    config: Config,
    embeddings: B::Weight,
    layers: Vec<Layer<B>>,
    norm: B::Vector,
    /// Absent when the embeddings serve as output too.
    output: Option<B::Weight>,
}

struct Layer<B: Backend> {
    attention_norm: B::Vector,
    /// Queries, keys, values.
    projections: [B::Weight; 3],
    biases: [Option<B::Vector>; 3],
    output: B::Weight,
    output_bias: Option<B::Vector>,
    feed_forward_norm: B::Vector,
    gate: B::Weight,
    up: B::Weight,
    down: B::Weight,
}

impl<B: Backend> Layer<B> {
    fn weights(&self) -> impl Iterator<Item = &B::Weight> {
        self.projections.iter().chain([&self.output, &self.gate, &self.up, &self.down])
    }

    fn vectors(&self) -> impl Iterator<Item = &B::Vector> {
        let norms = [&self.attention_norm, &self.feed_forward_norm];
        norms.into_iter().chain(self.biases.iter().flatten()).chain(&self.output_bias)
    }
}

impl<B: Backend> Transformer<B> {
    /// Reads all weights, and refuses a file with tensors that the family does not have.
    pub fn load(
        backend: B,
        file: &mut ModelFile,
        config: &Config,
        arithmetic: Arithmetic,
    ) -> Result<Self, EngineError> {
        let mut loader = Loader { backend: &backend, file, arithmetic };
        let embeddings = loader.weight("token_embd.weight", config.vocab, config.hidden)?;
        let norm = loader.vector("output_norm.weight", config.hidden)?;
        let output = match loader.file.has("output.weight") {
            true => Some(loader.weight("output.weight", config.vocab, config.hidden)?),
            false => None,
        };
        let layers = (0..config.layers).map(|layer| loader.layer(layer, config)).collect::<Result<_, _>>()?;
        let unread: Vec<_> = file.unread().take(3).collect();
        if !unread.is_empty() {
            let fault = format!("has tensors that {:?} models do not have: {}", config.family, unread.join(", "));
            return Err(file.fault(&format!("{fault}; its answers would be wrong, take another model")));
        }
        Ok(Self { backend, config: config.clone(), embeddings, layers, norm, output })
    }

    /// Bytes that all weights take on the backend.
    pub fn weight_bytes(&self) -> usize {
        let weights = [&self.embeddings].into_iter().chain(&self.output);
        let vectors = [&self.norm].into_iter().chain(self.layers.iter().flat_map(Layer::vectors));
        weights
            .chain(self.layers.iter().flat_map(Layer::weights))
            .map(|weight| self.backend.weight_bytes(weight))
            .chain(vectors.map(|vector| self.backend.vector_bytes(vector)))
            .sum()
    }

    /// Rotates and lays out stored keys and values.
    pub fn place(&self, kv: &KeyValues, start: u32) -> Result<Placed, EngineError> {
        self.backend.place(kv, start, &self.config.rope, self.config.heads())
    }

    /// Computes checked segments. Their rows go through the matrices together, one segment's after the other's. `observed` ones also tell
    /// where the attention of their last tokens goes.
    pub fn forward(
        &self,
        batch: &[Segment<'_>],
        precision: KvPrecision,
        observed: bool,
    ) -> Result<Vec<Forward>, EngineError> {
        let backend = &self.backend;
        let last_layer = self.config.layers - 1;
        // The last layer's results are needed for the rows that logits or states are wanted of; `kept` are the spans of these alone.
        let (mut spans, mut kept) = (Vec::with_capacity(batch.len()), Vec::with_capacity(batch.len()));
        let (mut tokens, mut positions) = (Vec::new(), Vec::new());
        let mut keep = Vec::new();
        for segment in batch {
            let rows = tokens.len()..tokens.len() + segment.tokens.len();
            let wanted = match segment.logits {
                Rows::All => rows.start,
                Rows::None if !segment.capture.contains(&last_layer) => rows.end,
                Rows::None | Rows::Last | Rows::LastOf(_) => rows.end - 1,
            };
            let context = segment.context;
            kept.push(Span { rows: keep.len()..keep.len() + rows.end - wanted, wanted: keep.len(), context });
            keep.extend(wanted..rows.end);
            spans.push(Span { wanted: rows.start, rows, context });
            tokens.extend_from_slice(segment.tokens);
            positions.extend((segment.start..).take(segment.tokens.len()));
        }
        let width = self.config.kv_heads * self.config.head_dim;
        let empty = |segment: &Segment<'_>| Forward {
            kv: KeyValues::empty(self.config.layers, width, precision),
            logits: Vec::new(),
            hidden: Vec::new(),
            attention: if observed { vec![0.0; segment.context.len() + segment.tokens.len()] } else { Vec::new() },
        };
        let mut done: Vec<_> = batch.iter().map(empty).collect();
        let mut captured: Vec<(usize, usize, Vec<f32>)> = Vec::new();

        let turns = backend.turns(&positions, &self.config.rope)?;
        let mut x = backend.embed(&self.embeddings, &tokens)?;
        for (number, layer) in self.layers.iter().enumerate() {
            if number == last_layer {
                let ends = spans.iter_mut().zip(&kept);
                ends.for_each(|(span, kept)| span.wanted = span.rows.end - kept.rows.len());
            }
            let mut seen = self.attention(layer, number, &x, &spans, &turns, &mut done)?;
            if number == last_layer {
                if keep.is_empty() {
                    break;
                }
                if keep.len() < tokens.len() {
                    (x, seen) = (backend.gather(&x, &keep)?, backend.gather(&seen, &keep)?);
                }
                spans.clone_from(&kept);
            }
            let [mut out] = backend.matmul(&seen, [&layer.output])?;
            if let Some(bias) = &layer.output_bias {
                backend.add_bias(&mut out, bias)?;
            }
            backend.add(&mut x, &out)?;
            let normal = backend.rms_norm(&x, &layer.feed_forward_norm, self.config.rms_eps)?;
            let [gate, up] = backend.matmul(&normal, [&layer.gate, &layer.up])?;
            let product = backend.silu_mul(gate, &up)?;
            let [down] = backend.matmul(&product, [&layer.down])?;
            backend.add(&mut x, &down)?;
            let asked: Vec<_> = (0..batch.len()).filter(|index| batch[*index].capture.contains(&number)).collect();
            if !asked.is_empty() {
                let rows: Vec<_> = asked.iter().map(|index| spans[*index].rows.end - 1).collect();
                let rows = backend.read(backend.gather(&x, &rows)?)?;
                captured.extend(asked.into_iter().zip(rows).map(|(index, row)| (index, number, row)));
            }
        }
        for (index, (segment, done)) in batch.iter().zip(&mut done).enumerate() {
            let find = |layer: &usize| captured.iter().find(|(i, number, _)| *i == index && number == layer);
            done.hidden = segment.capture.iter().filter_map(find).map(|(_, _, row)| row.clone()).collect();
        }
        self.logits(batch, &spans, &x, &mut done)?;
        Ok(done)
    }

    /// One layer's attention over `x`, before its output matrix; keeps the keys and values.
    fn attention(
        &self,
        layer: &Layer<B>,
        number: usize,
        x: &B::Buffer,
        spans: &[Span<'_>],
        turns: &B::Turns,
        done: &mut [Forward],
    ) -> Result<B::Buffer, EngineError> {
        let (backend, config) = (&self.backend, &self.config);
        let normal = backend.rms_norm(x, &layer.attention_norm, config.rms_eps)?;
        let [query, key, value] = &layer.projections;
        let [mut q, mut k, mut v] = backend.matmul(&normal, [query, key, value])?;
        for (x, bias) in [&mut q, &mut k, &mut v].into_iter().zip(&layer.biases) {
            if let Some(bias) = bias {
                backend.add_bias(x, bias)?;
            }
        }
        let precision = done.first().map(|first| first.kv.precision()).unwrap_or_default();
        let keys = backend.keep(&mut k, spans, precision)?;
        let values = backend.keep(&mut v, spans, precision)?;
        for ((done, keys), values) in done.iter_mut().zip(keys).zip(values) {
            done.kv.set_layer(number, keys, values);
        }
        backend.rotate(&mut q, turns, config.head_dim)?;
        backend.rotate(&mut k, turns, config.head_dim)?;
        for (done, span) in done.iter_mut().zip(spans).filter(|(done, _)| !done.attention.is_empty()) {
            let shares = backend.attention_shares([&q, &k], span, number, config.heads(), precision)?;
            let layers = config.layers as f64;
            done.attention.iter_mut().zip(shares).for_each(|(mean, share)| *mean += share / layers);
        }
        backend.attend([&q, &k, &v], spans, number, config.heads(), precision)
    }

    /// Multiplies the rows that were asked for with the output matrix.
    fn logits(
        &self,
        batch: &[Segment<'_>],
        spans: &[Span<'_>],
        x: &B::Buffer,
        done: &mut [Forward],
    ) -> Result<(), EngineError> {
        // Rows for the whole vocabulary and rows for some tokens, with the segment that each is for.
        let (mut whole, mut some) = (Vec::new(), Vec::new());
        let mut wanted: Vec<u32> = Vec::new();
        for (at, (segment, span)) in batch.iter().zip(spans).enumerate() {
            match segment.logits {
                Rows::None => {}
                Rows::Last => whole.push((at, span.rows.end - 1)),
                Rows::All => whole.extend(span.rows.clone().map(|row| (at, row))),
                Rows::LastOf(tokens) => {
                    some.push((at, span.rows.end - 1));
                    wanted.extend(tokens);
                }
            }
        }
        let output = self.output.as_ref().unwrap_or(&self.embeddings);
        let normal = |rows: &[(usize, usize)]| {
            let rows: Vec<_> = rows.iter().map(|(_, row)| *row).collect();
            self.backend.rms_norm(&self.backend.gather(x, &rows)?, &self.norm, self.config.rms_eps)
        };
        if !whole.is_empty() {
            let [logits] = self.backend.matmul(&normal(&whole)?, [output])?;
            for ((at, _), row) in whole.into_iter().zip(self.backend.read(logits)?) {
                done[at].logits.push(row);
            }
        }
        if !some.is_empty() {
            wanted.sort_unstable();
            wanted.dedup();
            let logits = self.backend.matmul_outputs(&normal(&some)?, output, &wanted)?;
            for ((at, _), row) in some.into_iter().zip(self.backend.read(logits)?) {
                let Rows::LastOf(tokens) = batch[at].logits else { continue };
                let place = |token: &u32| wanted.binary_search(token).ok().and_then(|place| row.get(place)).copied();
                done[at].logits.push(tokens.iter().filter_map(place).collect());
            }
        }
        Ok(())
    }
}

/// Reads weights out of a file onto a backend.
struct Loader<'a, B: Backend> {
    backend: &'a B,
    file: &'a mut ModelFile,
    arithmetic: Arithmetic,
}

impl<B: Backend> Loader<'_, B> {
    fn weight(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<B::Weight, EngineError> {
        let dims = [outputs, inputs];
        let tensor = match self.arithmetic {
            Arithmetic::Integer => self.file.weight(name, &dims)?,
            Arithmetic::Exact => Tensor::Plain(self.file.tensor(name, &dims)?),
        };
        self.backend.weight(&tensor, inputs)
    }

    fn vector(&mut self, name: &str, len: usize) -> Result<B::Vector, EngineError> {
        self.backend.vector(self.file.tensor(name, &[len])?)
    }

    fn bias(&mut self, name: &str, len: usize) -> Result<Option<B::Vector>, EngineError> {
        if self.file.has(name) { self.vector(name, len).map(Some) } else { Ok(None) }
    }

    fn layer(&mut self, layer: usize, config: &Config) -> Result<Layer<B>, EngineError> {
        let name = |part: &str| format!("blk.{layer}.{part}");
        let hidden = config.hidden;
        let queries = config.heads * config.head_dim;
        let keys = config.kv_heads * config.head_dim;
        Ok(Layer {
            attention_norm: self.vector(&name("attn_norm.weight"), hidden)?,
            projections: [
                self.weight(&name("attn_q.weight"), queries, hidden)?,
                self.weight(&name("attn_k.weight"), keys, hidden)?,
                self.weight(&name("attn_v.weight"), keys, hidden)?,
            ],
            biases: [
                self.bias(&name("attn_q.bias"), queries)?,
                self.bias(&name("attn_k.bias"), keys)?,
                self.bias(&name("attn_v.bias"), keys)?,
            ],
            output: self.weight(&name("attn_output.weight"), hidden, queries)?,
            output_bias: self.bias(&name("attn_output.bias"), hidden)?,
            feed_forward_norm: self.vector(&name("ffn_norm.weight"), hidden)?,
            gate: self.weight(&name("ffn_gate.weight"), config.feed_forward, hidden)?,
            up: self.weight(&name("ffn_up.weight"), config.feed_forward, hidden)?,
            down: self.weight(&name("ffn_down.weight"), hidden, config.feed_forward)?,
        })
    }
}
