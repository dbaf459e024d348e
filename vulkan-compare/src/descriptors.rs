//! Uniform blocks and textures by set and binding.

use std::collections::BTreeMap;

use ash::vk;

use crate::scratch::Scratch;
use crate::{Draw, VulkanError};

/// Layouts and sets, by number.
pub(crate) struct Descriptors {
    pub(crate) layouts: Vec<vk::DescriptorSetLayout>,
    pub(crate) sets: Vec<vk::DescriptorSet>,
}

/// What a descriptor points at.
enum Contents {
    Block(vk::DescriptorBufferInfo),
    Texture(vk::DescriptorImageInfo),
}

impl Contents {
    fn kind(&self) -> vk::DescriptorType {
        match self {
            Self::Block(_) => vk::DescriptorType::UNIFORM_BUFFER,
            Self::Texture(_) => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        }
    }
}

/// Makes what a draw's descriptors point at, and the sets of these.
pub(crate) fn make(scratch: &mut Scratch<'_>, draw: &Draw<'_>) -> Result<Descriptors, VulkanError> {
    let contents = contents(scratch, draw)?;
    let num_sets = contents.keys().map(|(set, _)| set + 1).max().unwrap_or(0);
    let mut layouts = Vec::new();
    for number in 0..num_sets {
        let own = contents.iter().filter(|((set, _), _)| *set == number);
        let binding = |((_, binding), contents): (&(u32, u32), &Contents)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(*binding)
                .descriptor_type(contents.kind())
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::FRAGMENT)
        };
        let bindings: Vec<_> = own.map(binding).collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: see the crate's documentation.
        let layout = unsafe { scratch.gpu.device.create_descriptor_set_layout(&info, None)? };
        scratch.later(move |device| {
            // SAFETY: what uses it was made later, and is gone.
            unsafe { device.destroy_descriptor_set_layout(layout, None) };
        });
        layouts.push(layout);
    }
    let sets = sets(scratch, &layouts, contents.len())?;
    for ((set, binding), contents) in &contents {
        let write = vk::WriteDescriptorSet::default()
            .dst_set(sets[*set as usize])
            .dst_binding(*binding)
            .descriptor_type(contents.kind());
        let (buffers, images);
        let write = match contents {
            Contents::Block(info) => {
                buffers = [*info];
                write.buffer_info(&buffers)
            }
            Contents::Texture(info) => {
                images = [*info];
                write.image_info(&images)
            }
        };
        // SAFETY: the set has that binding of that type, and nothing uses it yet.
        unsafe { scratch.gpu.device.update_descriptor_sets(&[write], &[]) };
    }
    Ok(Descriptors { layouts, sets })
}

fn contents(
    scratch: &mut Scratch<'_>,
    draw: &Draw<'_>,
) -> Result<BTreeMap<(u32, u32), Contents>, VulkanError> {
    let mut all = BTreeMap::new();
    for block in &draw.blocks {
        let usage = vk::BufferUsageFlags::UNIFORM_BUFFER;
        let buffer = scratch.buffer(&block.contents, usage)?.buffer;
        let info = vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE);
        all.insert((block.set, block.binding), Contents::Block(info));
    }
    let info = vk::SamplerCreateInfo::default()
        .address_mode_u(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .address_mode_v(vk::SamplerAddressMode::CLAMP_TO_EDGE)
        .address_mode_w(vk::SamplerAddressMode::CLAMP_TO_EDGE);
    // SAFETY: see the crate's documentation.
    let sampler = unsafe { scratch.gpu.device.create_sampler(&info, None)? };
    scratch.later(move |device| {
        // SAFETY: what uses it was made later, and is gone.
        unsafe { device.destroy_sampler(sampler, None) };
    });
    for texture in &draw.textures {
        let view = scratch.texture(&texture.contents)?;
        let info = vk::DescriptorImageInfo::default()
            .sampler(sampler)
            .image_view(view)
            .image_layout(vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
        all.insert((texture.set, texture.binding), Contents::Texture(info));
    }
    Ok(all)
}

fn sets(
    scratch: &mut Scratch<'_>,
    layouts: &[vk::DescriptorSetLayout],
    count: usize,
) -> Result<Vec<vk::DescriptorSet>, VulkanError> {
    if layouts.is_empty() {
        return Ok(Vec::new());
    }
    let size = |ty| vk::DescriptorPoolSize { ty, descriptor_count: count.max(1) as u32 };
    let sizes =
        [vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::COMBINED_IMAGE_SAMPLER].map(size);
    let info =
        vk::DescriptorPoolCreateInfo::default().max_sets(layouts.len() as u32).pool_sizes(&sizes);
    // SAFETY: see the crate's documentation.
    let pool = unsafe { scratch.gpu.device.create_descriptor_pool(&info, None)? };
    scratch.later(move |device| {
        // SAFETY: its sets are in use by nothing any more.
        unsafe { device.destroy_descriptor_pool(pool, None) };
    });
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(layouts);
    // SAFETY: the pool has room for all of them.
    Ok(unsafe { scratch.gpu.device.allocate_descriptor_sets(&info)? })
}
