//! Images and samplers: their registers or texture units.

use tgsi_ir::{Format, ImageAttributes, ReturnType, TextureTarget};

use crate::binary::Id;
use crate::error::{Fault, invalid, unsupported};
use crate::interface::Texture;
use crate::module::Variable;
use crate::translate::Translator;
use crate::translate::value::{HandlePointer, Pointer, Value};
use crate::types::Type;

use super::{Pool, Resources, Unit};

impl Resources {
    /// The register of an image, if it is the same for all uses.
    fn register_of(&self, image: &HandlePointer) -> Option<u16> {
        self.handles.get(&image.variable)?.get(image.element as usize).copied().flatten()
    }
}

impl Translator<'_> {
    /// An image, a sampler, or both; or an array of them.
    pub(super) fn declare_handle(&mut self, variable: &Variable) -> Result<(), Fault> {
        let len = self.module.num_handles(variable.ty)?;
        if len > 256 {
            return Err(unsupported("more than 256 textures in an array"));
        }
        let mut pools = Vec::new();
        self.add_pools(variable.ty, &mut pools)?;
        let mut registers = vec![None; pools.len()];
        let key = self.set_binding(variable.id);
        let mapping = &self.options.mapping;
        for (pool, map) in [(Pool::Images, &mapping.images), (Pool::Textures, &mapping.textures)] {
            let own: Vec<usize> = (0..pools.len()).filter(|&n| pools[n] == Some(pool)).collect();
            if own.is_empty() {
                continue;
            }
            let wanted = key.and_then(|key| map.get(&key).copied());
            // The same image under another type needs a declaration of its own.
            let alias = match (pool, key) {
                (Pool::Images, Some(key)) => Some((key, self.element_type(variable.ty)?)),
                _ => None,
            };
            let first = self.resources.take_again(pool, alias, wanted, own.len() as u16)?;
            for (n, register) in own.into_iter().zip(first..) {
                registers[n] = Some(register);
            }
        }
        self.resources.handles.insert(variable.id, registers);
        let pointer =
            HandlePointer { variable: variable.id, ty: variable.ty, element: 0, dynamic: None };
        self.globals.insert(variable.id, Value::Pointer(Pointer::Handle(pointer).into()));
        Ok(())
    }

    /// The pools from which the images and samplers of a type get their registers, in order. `None` for separate images
    /// and samplers: each pair that is used together gets a unit when it is used.
    fn add_pools(&self, ty: Id, pools: &mut Vec<Option<Pool>>) -> Result<(), Fault> {
        match self.module.ty(ty)? {
            Type::Image(image) if image.is_storage => pools.push(Some(Pool::Images)),
            Type::SampledImage { .. } => pools.push(Some(Pool::Textures)),
            Type::Image(_) | Type::Sampler => pools.push(None),
            Type::Struct { members } => {
                members.iter().try_for_each(|&member| self.add_pools(member, pools))?;
            }
            &Type::Array { of, len } if self.module.num_handles(of)? > 0 => {
                for _ in 0..len {
                    self.add_pools(of, pools)?;
                }
            }
            &Type::RuntimeArray { of } => self.add_pools(of, pools)?,
            // Other types have no register. Loads of them are rejected.
            _ => {}
        }
        Ok(())
    }

    /// The texture unit of an image with a sampler, or of an image used without one.
    pub(in crate::translate) fn texture_unit(
        &mut self,
        image: &HandlePointer,
        sampler: Option<&HandlePointer>,
        target: TextureTarget,
        texel: ReturnType,
    ) -> Result<u16, Fault> {
        // The unit of a combined image and sampler cannot serve another sampler.
        let own = self.resources.register_of(image).filter(|_| sampler.is_none());
        let unit = match own {
            Some(unit) => unit,
            None => self.paired_unit(image, sampler)?,
        };
        let is_new = !self.resources.units.contains_key(&unit);
        let slot = self.resources.units.entry(unit).or_insert(Unit { target, texel });
        if target.reference().is_some() {
            slot.target = target;
        }
        if is_new {
            let ty = image.ty;
            let resource = self.resource(image.variable, ty, unit, image.element)?;
            let sampler = sampler.map(|one| self.resource(one.variable, one.ty, unit, one.element));
            let sampler = sampler.transpose()?;
            self.interface.textures.push(Texture { unit, image: resource, sampler });
        }
        Ok(unit)
    }

    fn paired_unit(
        &mut self,
        image: &HandlePointer,
        sampler: Option<&HandlePointer>,
    ) -> Result<u16, Fault> {
        let image_key = (image.variable, image.element);
        // A fetch needs no sampler, so any unit of the image will do.
        let found = match sampler {
            Some(one) => {
                self.resources.pairs.get(&[image_key, (one.variable, one.element)]).copied()
            }
            None => {
                let mut pairs = self.resources.pairs.iter();
                pairs.find(|(key, _)| key[0] == image_key).map(|(_, &unit)| unit)
            }
        };
        if let Some(unit) = found {
            return Ok(unit);
        }
        let key = self.set_binding(image.variable);
        let wanted = key.and_then(|key| self.options.mapping.textures.get(&key).copied());
        let wanted = wanted.map(|first| first.saturating_add(image.element as u16));
        let wanted =
            wanted.filter(|unit| !self.resources.taken[Pool::Textures as usize].has(*unit));
        let unit = self.resources.take(Pool::Textures, wanted, 1)?;
        let sampler_key = sampler.map_or((Id(0), 0), |one| (one.variable, one.element));
        self.resources.pairs.insert([image_key, sampler_key], unit);
        Ok(unit)
    }

    /// The register of a storage image.
    pub(in crate::translate) fn image_register(
        &mut self,
        image: &HandlePointer,
        target: TextureTarget,
        format: Format,
    ) -> Result<u16, Fault> {
        let missing = || invalid("an image is used without a sampler, but not declared so");
        let register = self.resources.register_of(image).ok_or_else(missing)?;
        let attributes = ImageAttributes { target, format, raw: false, writable: true };
        if self.resources.images.insert(register, attributes).is_none() {
            let resource = self.resource(image.variable, image.ty, register, image.element)?;
            self.interface.images.push(resource);
        }
        Ok(register)
    }
}
