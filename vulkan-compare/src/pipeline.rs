//! The draw itself.

use ash::vk;

use crate::descriptors::{self, Descriptors};
use crate::scratch::{FORMAT, Scratch, region};
use crate::{Draw, Gpu, Picture, VulkanError};

/// The name of entry points.
const MAIN: &std::ffi::CStr = c"main";
/// Vertices of two triangles.
const NUM_VERTICES: u32 = 6;

impl Gpu {
    /// Draws; pixels that nothing covers, and those that the shader threw away, are zeros.
    ///
    /// # Errors
    /// Where the implementation says no.
    pub fn draw(&self, draw: &Draw<'_>) -> Result<Picture, VulkanError> {
        let mut scratch = Scratch::new(self);
        let descriptors = descriptors::make(&mut scratch, draw)?;
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let (image, view) = scratch.image(draw.size, usage)?;
        let pass = render_pass(&mut scratch)?;
        let [width, height] = draw.size;
        let attachments = [view];
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&attachments)
            .width(width)
            .height(height)
            .layers(1);
        // SAFETY: see the crate's documentation.
        let frame = unsafe { self.device.create_framebuffer(&info, None)? };
        scratch.later(move |device| {
            // SAFETY: the queue is idle.
            unsafe { device.destroy_framebuffer(frame, None) };
        });
        let layout = pipeline_layout(&mut scratch, draw, &descriptors)?;
        let pipeline = pipeline(&mut scratch, draw, (layout, pass))?;
        let len = 4 * (width * height) as usize;
        let target = scratch.buffer(&vec![0; len], vk::BufferUsageFlags::TRANSFER_DST)?;
        let area = vk::Rect2D::default().extent(vk::Extent2D { width, height });
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(frame)
            .render_area(area)
            .clear_values(&[vk::ClearValue { color: vk::ClearColorValue { float32: [0.0; 4] } }]);
        scratch.run(|device, commands| {
            let graphics = vk::PipelineBindPoint::GRAPHICS;
            let fragment = vk::ShaderStageFlags::FRAGMENT;
            let constants: Vec<u8> =
                draw.push_constants.iter().flat_map(|word| word.to_le_bytes()).collect();
            let from = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
            // SAFETY: see the crate's documentation; the pass leaves the image in the layout that is copied from.
            unsafe {
                device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE);
                device.cmd_bind_pipeline(commands, graphics, pipeline);
                let sets = &descriptors.sets;
                device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, sets, &[]);
                if !constants.is_empty() {
                    device.cmd_push_constants(commands, layout, fragment, 0, &constants);
                }
                device.cmd_draw(commands, NUM_VERTICES, 1, 0, 0);
                device.cmd_end_render_pass(commands);
                let copy = [region(draw.size)];
                device.cmd_copy_image_to_buffer(commands, image, from, target.buffer, &copy);
            }
        })?;
        let words = scratch.read(target, len)?;
        let pixels = words.as_chunks::<4>().0.iter().map(|pixel| pixel.map(f32::from_bits));
        Ok(Picture { size: draw.size, pixels: pixels.collect() })
    }
}

fn render_pass(scratch: &mut Scratch<'_>) -> Result<vk::RenderPass, VulkanError> {
    let attachments = [vk::AttachmentDescription::default()
        .format(FORMAT)
        .samples(vk::SampleCountFlags::TYPE_1)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .final_layout(vk::ImageLayout::TRANSFER_SRC_OPTIMAL)];
    let colors =
        [vk::AttachmentReference::default().layout(vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL)];
    let subpasses = [vk::SubpassDescription::default()
        .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
        .color_attachments(&colors)];
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let after = [vk::SubpassDependency::default()
        .dst_subpass(vk::SUBPASS_EXTERNAL)
        .src_stage_mask(all)
        .dst_stage_mask(all)
        .src_access_mask(access)
        .dst_access_mask(access)];
    let info = vk::RenderPassCreateInfo::default()
        .attachments(&attachments)
        .subpasses(&subpasses)
        .dependencies(&after);
    // SAFETY: see the crate's documentation.
    let pass = unsafe { scratch.gpu.device.create_render_pass(&info, None)? };
    scratch.later(move |device| {
        // SAFETY: what uses it was made later, and is gone.
        unsafe { device.destroy_render_pass(pass, None) };
    });
    Ok(pass)
}

fn pipeline_layout(
    scratch: &mut Scratch<'_>,
    draw: &Draw<'_>,
    descriptors: &Descriptors,
) -> Result<vk::PipelineLayout, VulkanError> {
    let constants = [vk::PushConstantRange::default()
        .stage_flags(vk::ShaderStageFlags::FRAGMENT)
        .size(4 * draw.push_constants.len() as u32)];
    let constants = if draw.push_constants.is_empty() { &[][..] } else { &constants };
    let info = vk::PipelineLayoutCreateInfo::default()
        .set_layouts(&descriptors.layouts)
        .push_constant_ranges(constants);
    // SAFETY: see the crate's documentation.
    let layout = unsafe { scratch.gpu.device.create_pipeline_layout(&info, None)? };
    scratch.later(move |device| {
        // SAFETY: what uses it was made later, and is gone.
        unsafe { device.destroy_pipeline_layout(layout, None) };
    });
    Ok(layout)
}

fn module(scratch: &mut Scratch<'_>, words: &[u32]) -> Result<vk::ShaderModule, VulkanError> {
    let info = vk::ShaderModuleCreateInfo::default().code(words);
    // SAFETY: the module is valid, as its compiler leaves it.
    let module = unsafe { scratch.gpu.device.create_shader_module(&info, None)? };
    scratch.later(move |device| {
        // SAFETY: pipelines do not need it any more.
        unsafe { device.destroy_shader_module(module, None) };
    });
    Ok(module)
}

fn pipeline(
    scratch: &mut Scratch<'_>,
    draw: &Draw<'_>,
    (layout, pass): (vk::PipelineLayout, vk::RenderPass),
) -> Result<vk::Pipeline, VulkanError> {
    let modules = [module(scratch, draw.vertex)?, module(scratch, draw.fragment)?];
    let stages = [vk::ShaderStageFlags::VERTEX, vk::ShaderStageFlags::FRAGMENT];
    let stage = |(module, stage)| {
        vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(MAIN)
    };
    let stages: Vec<_> = modules.into_iter().zip(stages).map(stage).collect();
    let vertices = vk::PipelineVertexInputStateCreateInfo::default();
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(vk::PrimitiveTopology::TRIANGLE_LIST);
    let [width, height] = draw.size;
    // With a negative height, y goes up in clip space, as everywhere else in this workspace.
    let viewports = [vk::Viewport {
        x: 0.0,
        y: height as f32,
        width: width as f32,
        height: -(height as f32),
        min_depth: 0.0,
        max_depth: 1.0,
    }];
    let scissors = [vk::Rect2D::default().extent(vk::Extent2D { width, height })];
    let viewport =
        vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let colors = [vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&colors);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&vertices)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .color_blend_state(&blend)
        .layout(layout)
        .render_pass(pass);
    let cache = vk::PipelineCache::null();
    // SAFETY: see the crate's documentation.
    let made = unsafe { scratch.gpu.device.create_graphics_pipelines(cache, &[info], None) };
    let pipeline = match made {
        Ok(pipelines) => pipelines[0],
        Err((_, error)) => return Err(error.into()),
    };
    scratch.later(move |device| {
        // SAFETY: the queue is idle.
        unsafe { device.destroy_pipeline(pipeline, None) };
    });
    Ok(pipeline)
}
