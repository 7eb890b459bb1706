//! The stores that are served.

use super::ServiceError;
use factmask_graph::{Store, TenantId};
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};
use tempfile::TempDir;

/// The stores that questions may be asked of. Each is opened when it is first asked for and stays open.
pub struct Tenants {
    place: Place,
    open: Mutex<BTreeMap<TenantId, Store>>,
}

enum Place {
    /// `<folder>/tenants/<tenant>`.
    Data(PathBuf),
    /// For stores in memory; made when something has to lie on disk all the same.
    Scratch(Mutex<Option<TempDir>>),
}

impl Tenants {
    /// The tenants below a data folder. A question makes no tenant: only one whose folder is there is opened.
    pub fn below(data: PathBuf) -> Self {
        Self { place: Place::Data(data), open: Mutex::default() }
    }

    /// Exactly these.
    pub fn of(stores: impl IntoIterator<Item = (TenantId, Store)>) -> Self {
        Self { place: Place::Scratch(Mutex::default()), open: Mutex::new(stores.into_iter().collect()) }
    }

    /// The store of a tenant.
    pub fn store(&self, name: &str) -> Result<Store, ServiceError> {
        let tenant = self.tenant(name)?;
        // A thread that panicked here held no half-made change: the map gains whole stores only.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = open.get(&tenant) {
            return Ok(store.clone());
        }
        let Place::Data(data) = &self.place else { return Err(ServiceError::NoTenant(name.to_owned())) };
        let store = Store::open(data, &tenant)?;
        // What a process that was killed had received so far. The store is ours alone, so nobody is receiving now.
        match fs::remove_dir_all(uploads(&folder(data, &tenant))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(tenant = name, %error, "cannot remove what an upload has left");
            }
            _ => {}
        }
        open.insert(tenant, store.clone());
        Ok(store)
    }

    /// The tenant of this name, if there is one. Costs next to nothing and opens nothing.
    pub fn tenant(&self, name: &str) -> Result<TenantId, ServiceError> {
        let tenant = TenantId::new(name)?;
        let known = match &self.place {
            Place::Data(data) => folder(data, &tenant).is_dir(),
            Place::Scratch(_) => self.open.lock().unwrap_or_else(PoisonError::into_inner).contains_key(&tenant),
        };
        if known { Ok(tenant) } else { Err(ServiceError::NoTenant(name.to_owned())) }
    }

    /// Where files of the tenant lie while they are received; on the disk that its sources will be on.
    pub fn uploads(&self, tenant: &TenantId) -> Result<PathBuf, ServiceError> {
        let place = uploads(&self.folder(tenant)?);
        fs::create_dir_all(&place).map_err(ServiceError::disk(&place))?;
        Ok(place)
    }

    /// Where the tenant's job progress is.
    pub fn jobs(&self, tenant: &TenantId) -> Result<PathBuf, ServiceError> {
        Ok(self.folder(tenant)?.join("jobs"))
    }

    /// A file of the service's own beside the tenant's store; its folder is there.
    pub fn file(&self, name: &str, file: &str) -> Result<PathBuf, ServiceError> {
        let folder = self.folder(&self.tenant(name)?)?;
        fs::create_dir_all(&folder).map_err(ServiceError::disk(&folder))?;
        Ok(folder.join(file))
    }

    fn folder(&self, tenant: &TenantId) -> Result<PathBuf, ServiceError> {
        let scratch = match &self.place {
            Place::Data(data) => return Ok(folder(data, tenant)),
            Place::Scratch(scratch) => scratch,
        };
        let mut scratch = scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let made = match scratch.take() {
            Some(made) => made,
            None => TempDir::new().map_err(ServiceError::disk(&std::env::temp_dir()))?,
        };
        let found = folder(made.path(), tenant);
        *scratch = Some(made);
        Ok(found)
    }
}

/// The folder of one tenant.
pub(crate) fn folder(data: &Path, tenant: &TenantId) -> PathBuf {
    tenants_folder(data).join(tenant.as_str())
}

/// The folder of all tenants' folders.
pub(crate) fn tenants_folder(data: &Path) -> PathBuf {
    data.join("tenants")
}

fn uploads(folder: &Path) -> PathBuf {
    folder.join("uploads")
}
