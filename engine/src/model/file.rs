//! GGUF files: candle reads them, this room makes sure that no file can bring the process down.

use super::{
    ModelHash,
    quantised::{Groups, Tensor},
};
use crate::EngineError;
use candle_core::{
    Device,
    quantized::{
        GgmlDType, QTensor,
        gguf_file::{Content, TensorInfo, Value},
    },
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufReader, Read, Seek, SeekFrom},
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// Weights that are rounded anew must not be larger: their scales are kept in f16.
const LARGEST: f32 = 8e6;

/// An open GGUF file.
pub struct ModelFile {
    path: PathBuf,
    file: BufReader<File>,
    len: u64,
    content: Content,
    /// Tensors that nobody has asked for yet.
    unread: BTreeSet<String>,
}

impl ModelFile {
    /// Opens a file and reads its header.
    pub fn open(path: &Path) -> Result<Self, EngineError> {
        let error = |fault: String| EngineError::Model { path: path.to_owned(), fault };
        let remedy = "check the path, or fetch a model with `factmask model pull`";
        let file = File::open(path).map_err(|cause| error(format!("cannot be opened: {cause}; {remedy}")))?;
        let metadata = file.metadata().map_err(|cause| error(format!("cannot be read: {cause}; {remedy}")))?;
        if !metadata.is_file() {
            return Err(error(format!("is not a file; {remedy}")));
        }
        let mut file = BufReader::with_capacity(1 << 20, file);
        let mut magic = [0; 4];
        if file.read_exact(&mut magic).is_err() || &magic != b"GGUF" {
            let found = magic.escape_ascii();
            return Err(error(format!("starts with \"{found}\", which is not GGUF; {remedy}")));
        }
        // Counts and lengths of the header are checked by candle against the size of the file. It still divides by
        // `general.alignment` and multiplies dimensions unchecked; a file may not bring the process down for that.
        let content = file
            .rewind()
            .map_err(|cause| cause.to_string())
            .and_then(|()| {
                catch_unwind(AssertUnwindSafe(|| Content::read(&mut file)))
                    .unwrap_or_else(|_| candle_core::bail!("the header contradicts itself"))
                    .map_err(|cause| cause.to_string())
            })
            .map_err(|cause| error(format!("its header is damaged: {}; fetch it again", first_line(&cause))))?;
        let unread = content.tensor_infos.keys().cloned().collect();
        Ok(Self { path: path.to_owned(), file, len: metadata.len(), content, unread })
    }

    /// An error about this file.
    pub fn fault(&self, fault: &str) -> EngineError {
        EngineError::Model { path: self.path.clone(), fault: fault.to_owned() }
    }

    /// Metadata of this name, if any.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.content.metadata.get(key)
    }

    /// A text, if it is there and is one.
    pub fn text(&self, key: &str) -> Option<String> {
        self.value(key).and_then(|value| value.to_string().ok()).cloned()
    }

    /// A whole number, if it is there and is one.
    pub fn number(&self, key: &str) -> Option<usize> {
        match self.value(key)? {
            Value::I8(number) => usize::try_from(*number).ok(),
            Value::I16(number) => usize::try_from(*number).ok(),
            Value::I32(number) => usize::try_from(*number).ok(),
            Value::I64(number) => usize::try_from(*number).ok(),
            value => value.to_u64().ok().and_then(|number| usize::try_from(number).ok()),
        }
    }

    /// A number with a fraction, if it is there and is one.
    pub fn real(&self, key: &str) -> Option<f32> {
        match self.value(key)? {
            Value::F32(number) => Some(*number),
            Value::F64(number) => Some(*number as f32),
            _ => None,
        }
    }

    /// A list, if it is there and is one.
    pub fn list(&self, key: &str) -> Option<&[Value]> {
        self.value(key).and_then(|value| value.to_vec().ok()).map(Vec::as_slice)
    }

    /// Whether there is such a tensor.
    pub fn has(&self, name: &str) -> bool {
        self.content.tensor_infos.contains_key(name)
    }

    /// A tensor's dimensions, rows first, if it is there.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.content.tensor_infos.get(name).map(|info| info.shape.dims())
    }

    /// Reads a tensor of these dimensions as f32.
    pub fn tensor(&mut self, name: &str, dims: &[usize]) -> Result<Vec<f32>, EngineError> {
        let tensor = self.read(name, dims)?;
        self.plain(name, &tensor)
    }

    /// Reads a tensor of these dimensions as it is computed with: weights of few bits stay so. What has another grouping than ours is
    /// rounded to eight bits, see [`Groups::rounded`]; what is stored in floating point stays exact.
    pub fn weight(&mut self, name: &str, dims: &[usize]) -> Result<Tensor, EngineError> {
        let tensor = self.read(name, dims)?;
        let kind = tensor.dtype();
        if matches!(kind, GgmlDType::F32 | GgmlDType::F16 | GgmlDType::BF16) {
            return self.plain(name, &tensor).map(Tensor::Plain);
        }
        let bytes = tensor.data().map_err(|cause| self.unreadable(name, &cause))?;
        if let Some(groups) = Groups::exact(kind, &bytes) {
            if !groups.is_finite() {
                return Err(self.fault(&format!("tensor {name} has values that are not numbers; fetch it again")));
            }
            return Ok(Tensor::Groups(groups));
        }
        let values = self.plain(name, &tensor)?;
        if values.iter().any(|value| value.abs() > LARGEST) {
            return Err(self.fault(&format!("tensor {name} has values beyond {LARGEST}; take another quantisation")));
        }
        Ok(Tensor::Groups(Groups::rounded(&values)))
    }

    fn plain(&self, name: &str, tensor: &QTensor) -> Result<Vec<f32>, EngineError> {
        let values = tensor
            .dequantize(&Device::Cpu)
            .and_then(|tensor| tensor.flatten_all()?.to_vec1::<f32>())
            .map_err(|cause| self.unreadable(name, &cause))?;
        if values.iter().any(|value| !value.is_finite()) {
            return Err(self.fault(&format!("tensor {name} has values that are not numbers; fetch it again")));
        }
        Ok(values)
    }

    fn unreadable(&self, name: &str, cause: &candle_core::Error) -> EngineError {
        self.fault(&format!("tensor {name}: {}; fetch it again", first_line(&cause.to_string())))
    }

    fn read(&mut self, name: &str, dims: &[usize]) -> Result<QTensor, EngineError> {
        let Some(info) = self.content.tensor_infos.get(name) else {
            return Err(self.fault(&format!("has no tensor {name}; take a complete file")));
        };
        if info.shape.dims() != dims {
            let found = info.shape.dims();
            return Err(
                self.fault(&format!("tensor {name} is {found:?}, its configuration says {dims:?}; fetch it again"))
            );
        }
        if let Err(fault) = self.check_place(info) {
            return Err(self.fault(&format!("tensor {name} {fault}; the file is cut short or damaged, fetch it again")));
        }
        self.unread.remove(name);
        let read = info.read(&mut self.file, self.content.tensor_data_offset, &Device::Cpu);
        read.map_err(|cause| self.unreadable(name, &cause))
    }

    /// Tensors that nobody asked for. A model that has some is not the one that would be computed.
    pub fn unread(&self) -> impl Iterator<Item = &str> {
        self.unread.iter().map(String::as_str)
    }

    /// SHA-256 of the whole file.
    pub fn hash(&mut self) -> Result<ModelHash, EngineError> {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 20];
        let mut read = || -> std::io::Result<()> {
            self.file.seek(SeekFrom::Start(0))?;
            loop {
                match self.file.read(&mut buffer)? {
                    0 => return Ok(()),
                    count => hash.update(&buffer[..count]),
                }
            }
        };
        let read = read();
        read.map_err(|cause| self.fault(&format!("cannot be read: {cause}; check the disk")))?;
        Ok(ModelHash(hash.finalize().into()))
    }

    /// Whether a tensor's bytes are inside the file, computed so that no dimension can overflow.
    fn check_place(&self, info: &TensorInfo) -> Result<(), String> {
        let count = info.shape.dims().iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim as u64));
        let bytes = count
            .filter(|count| count.is_multiple_of(info.ggml_dtype.block_size() as u64))
            .and_then(|count| {
                (count / info.ggml_dtype.block_size() as u64).checked_mul(info.ggml_dtype.type_size() as u64)
            })
            .ok_or_else(|| format!("has dimensions {:?} that its type cannot have", info.shape.dims()))?;
        let end = self.content.tensor_data_offset.checked_add(info.offset).and_then(|start| start.checked_add(bytes));
        match end {
            Some(end) if end <= self.len => Ok(()),
            Some(end) => Err(format!("ends at byte {end} of {}", self.len)),
            None => Err(format!("starts at byte {} of {}", info.offset, self.len)),
        }
    }
}

/// candle's errors carry a backtrace when one is asked for.
fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
