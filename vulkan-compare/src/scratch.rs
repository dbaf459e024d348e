//! What lives for one draw: buffers, images and whatever else is to be destroyed.

use ash::{Device, vk};

use crate::{Gpu, Picture, VulkanError};

type Destroy = Box<dyn FnOnce(&Device)>;

/// Objects of one draw. They are destroyed when it is dropped, the last made first.
pub(crate) struct Scratch<'g> {
    pub(crate) gpu: &'g Gpu,
    garbage: Vec<Destroy>,
}

/// A buffer with its memory.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    pub(crate) buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

/// Four floats a pixel.
pub(crate) const FORMAT: vk::Format = vk::Format::R32G32B32A32_SFLOAT;

impl Drop for Scratch<'_> {
    fn drop(&mut self) {
        // SAFETY: waits until nothing uses the objects, which are this draw's own.
        let _ = unsafe { self.gpu.device.device_wait_idle() };
        while let Some(destroy) = self.garbage.pop() {
            destroy(&self.gpu.device);
        }
    }
}

impl<'g> Scratch<'g> {
    pub(crate) fn new(gpu: &'g Gpu) -> Self {
        Self { gpu, garbage: Vec::new() }
    }

    /// Has something destroyed in the end.
    pub(crate) fn later(&mut self, destroy: impl FnOnce(&Device) + 'static) {
        self.garbage.push(Box::new(destroy));
    }

    /// A buffer of words that the processor can reach.
    pub(crate) fn buffer(
        &mut self,
        words: &[u32],
        usage: vk::BufferUsageFlags,
    ) -> Result<Buffer, VulkanError> {
        let device = &self.gpu.device;
        let size = 4 * words.len().max(4) as u64;
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        // SAFETY: see the crate's documentation; the memory is as large as the words, and mapped while they are copied.
        unsafe {
            let buffer = device.create_buffer(&info, None)?;
            self.later(move |device| device.destroy_buffer(buffer, None));
            let needs = self.gpu.device.get_buffer_memory_requirements(buffer);
            let memory = self.memory(needs, vk::MemoryPropertyFlags::HOST_VISIBLE)?;
            let device = &self.gpu.device;
            device.bind_buffer_memory(buffer, memory, 0)?;
            let place = device.map_memory(memory, 0, size, vk::MemoryMapFlags::empty())?;
            std::ptr::copy_nonoverlapping(words.as_ptr(), place.cast(), words.len());
            device.unmap_memory(memory);
            Ok(Buffer { buffer, memory })
        }
    }

    /// The words of a buffer.
    pub(crate) fn read(&self, buffer: Buffer, len: usize) -> Result<Vec<u32>, VulkanError> {
        let device = &self.gpu.device;
        let mut words = vec![0; len];
        // SAFETY: the buffer was made with that many words, and the queue is idle.
        unsafe {
            let size = 4 * len as u64;
            let place = device.map_memory(buffer.memory, 0, size, vk::MemoryMapFlags::empty())?;
            std::ptr::copy_nonoverlapping(place.cast(), words.as_mut_ptr(), len);
            device.unmap_memory(buffer.memory);
        }
        Ok(words)
    }

    /// An image with a view.
    pub(crate) fn image(
        &mut self,
        size: [u32; 2],
        usage: vk::ImageUsageFlags,
    ) -> Result<(vk::Image, vk::ImageView), VulkanError> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(FORMAT)
            .extent(vk::Extent3D { width: size[0], height: size[1], depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        // SAFETY: see the crate's documentation.
        unsafe {
            let image = self.gpu.device.create_image(&info, None)?;
            self.later(move |device| device.destroy_image(image, None));
            let needs = self.gpu.device.get_image_memory_requirements(image);
            let memory = self.memory(needs, vk::MemoryPropertyFlags::empty())?;
            self.gpu.device.bind_image_memory(image, memory, 0)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(FORMAT)
                .subresource_range(whole());
            let view = self.gpu.device.create_image_view(&info, None)?;
            self.later(move |device| device.destroy_image_view(view, None));
            Ok((image, view))
        }
    }

    /// A texture with a picture's pixels.
    pub(crate) fn texture(&mut self, picture: &Picture) -> Result<vk::ImageView, VulkanError> {
        let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
        let (image, view) = self.image(picture.size, usage)?;
        let words: Vec<u32> =
            picture.pixels.as_flattened().iter().map(|channel| channel.to_bits()).collect();
        let source = self.buffer(&words, vk::BufferUsageFlags::TRANSFER_SRC)?.buffer;
        let copy = [region(picture.size)];
        let to = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        self.run(|device, commands| {
            change(device, commands, image, (vk::ImageLayout::UNDEFINED, to));
            // SAFETY: the buffer holds the whole picture, and the image is in that layout.
            unsafe { device.cmd_copy_buffer_to_image(commands, source, image, to, &copy) };
            let after = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;
            change(device, commands, image, (to, after));
        })?;
        Ok(view)
    }

    /// Records commands, runs them and waits for their end.
    pub(crate) fn run(
        &self,
        record: impl FnOnce(&Device, vk::CommandBuffer),
    ) -> Result<(), VulkanError> {
        let Gpu { device, queue, commands, .. } = self.gpu;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(*commands)
            .level(vk::CommandBufferLevel::PRIMARY)
            .command_buffer_count(1);
        let once = vk::CommandBufferBeginInfo::default()
            .flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: see the crate's documentation; the buffer is freed when the queue is idle.
        unsafe {
            let buffers = device.allocate_command_buffers(&info)?;
            let buffer = buffers[0];
            device.begin_command_buffer(buffer, &once)?;
            record(device, buffer);
            device.end_command_buffer(buffer)?;
            let submit = [vk::SubmitInfo::default().command_buffers(&buffers)];
            device.queue_submit(*queue, &submit, vk::Fence::null())?;
            device.queue_wait_idle(*queue)?;
            device.free_command_buffers(*commands, &buffers);
        }
        Ok(())
    }

    fn memory(
        &mut self,
        needs: vk::MemoryRequirements,
        flags: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, VulkanError> {
        let types = self.gpu.memory.memory_types_as_slice();
        let flags =
            if flags.is_empty() { flags } else { flags | vk::MemoryPropertyFlags::HOST_COHERENT };
        let is_right = |(at, one): &(usize, &vk::MemoryType)| {
            needs.memory_type_bits >> at & 1 == 1 && one.property_flags.contains(flags)
        };
        let found = types.iter().enumerate().find(is_right).ok_or(VulkanError::NoDevice)?;
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(found.0 as u32);
        // SAFETY: see the crate's documentation.
        let memory = unsafe { self.gpu.device.allocate_memory(&info, None)? };
        self.later(move |device| {
            // SAFETY: what was bound to it was made later, and is gone.
            unsafe { device.free_memory(memory, None) };
        });
        Ok(memory)
    }
}

/// All of an image.
pub(crate) fn whole() -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange::default()
        .aspect_mask(vk::ImageAspectFlags::COLOR)
        .level_count(1)
        .layer_count(1)
}

/// A copy of all of an image, to or from the start of a buffer.
pub(crate) fn region([width, height]: [u32; 2]) -> vk::BufferImageCopy {
    let layers = vk::ImageSubresourceLayers::default()
        .aspect_mask(vk::ImageAspectFlags::COLOR)
        .layer_count(1);
    vk::BufferImageCopy::default().image_subresource(layers).image_extent(vk::Extent3D {
        width,
        height,
        depth: 1,
    })
}

/// Changes the layout of an image, after and before everything else.
pub(crate) fn change(
    device: &Device,
    commands: vk::CommandBuffer,
    image: vk::Image,
    (from, to): (vk::ImageLayout, vk::ImageLayout),
) {
    let barrier = vk::ImageMemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
        .old_layout(from)
        .new_layout(to)
        .image(image)
        .subresource_range(whole());
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let flags = vk::DependencyFlags::empty();
    // SAFETY: the commands are being recorded, and the image is this draw's.
    unsafe { device.cmd_pipeline_barrier(commands, all, all, flags, &[], &[], &[barrier]) };
}
