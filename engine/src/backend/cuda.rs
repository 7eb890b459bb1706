//! Is there a CUDA device? The driver library is looked for at run time, so one binary serves machines with and without.

#![allow(unsafe_code, reason = "calls into the driver library")]

use cudarc::driver::{result, sys};
use serde::Serialize;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// A device that can be used; the first one where there are several.
    Available {
        /// The maker's name for it.
        name: String,
        /// Its whole memory.
        memory_bytes: usize,
        /// Major and minor.
        compute_capability: (i32, i32),
    },
    /// None, and why, in one line.
    Unavailable {
        /// For people.
        reason: String,
    },
}

/// Looks for the driver and asks it for its first device. Never panics and leaves no device context behind.
#[must_use]
pub fn probe() -> Probe {
    // SAFETY: tries to open the library and closes it again. cudarc panics when a call finds no library, so this comes first.
    if !unsafe { sys::is_culib_present() } {
        return unavailable("the CUDA driver library (libcuda) is not installed");
    }
    if let Err(error) = result::init() {
        return unavailable(&format!("the CUDA driver does not start: {error}"));
    }
    match result::device::get_count() {
        Ok(0) => unavailable("the CUDA driver is installed but sees no device"),
        Ok(_) => first().unwrap_or_else(|error| unavailable(&format!("the CUDA device gives no answer: {error}"))),
        Err(error) => unavailable(&format!("the CUDA driver cannot count its devices: {error}")),
    }
}

fn first() -> Result<Probe, result::DriverError> {
    use sys::CUdevice_attribute_enum::{
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
    };
    let device = result::device::get(0)?;
    let name = result::device::get_name(device)?;
    // SAFETY: the driver has given the device a line above.
    let (memory_bytes, major, minor) = unsafe {
        (
            result::device::total_mem(device)?,
            result::device::get_attribute(device, MAJOR)?,
            result::device::get_attribute(device, MINOR)?,
        )
    };
    Ok(Probe::Available { name, memory_bytes, compute_capability: (major, minor) })
}

fn unavailable(reason: &str) -> Probe {
    // A driver's message may have several lines.
    Probe::Unavailable { reason: reason.split_whitespace().collect::<Vec<_>>().join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probing_says_what_it_found() {
        match probe() {
            Probe::Available { name, memory_bytes, compute_capability } => {
                assert!(!name.is_empty() && memory_bytes > 0 && compute_capability.0 > 0);
            }
            Probe::Unavailable { reason } => assert!(!reason.is_empty() && !reason.contains('\n'), "{reason:?}"),
        }
    }
}
