//! A device with a queue that draws.

use ash::{Device, Entry, Instance, vk};

use crate::VulkanError;

/// A device.
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: vk::Queue,
    pub(crate) commands: vk::CommandPool,
    pub(crate) memory: vk::PhysicalDeviceMemoryProperties,
    name: String,
    instance: Instance,
    /// Holds the library; it is unloaded last.
    _entry: Entry,
}

impl Gpu {
    /// Opens the first device that draws; one that computes on the processor is preferred, since others may hang.
    ///
    /// # Errors
    /// Where there is none.
    pub fn open() -> Result<Self, VulkanError> {
        // SAFETY: the loader of the system is what it says; nothing else loads it meanwhile.
        let entry = unsafe { Entry::load()? };
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        // SAFETY: see the crate's documentation.
        let instance = unsafe { entry.create_instance(&info, None)? };
        // SAFETY: as above.
        let mut devices = unsafe { instance.enumerate_physical_devices()? };
        // SAFETY: as above.
        let properties = |device| unsafe { instance.get_physical_device_properties(device) };
        devices
            .sort_by_key(|&device| properties(device).device_type != vk::PhysicalDeviceType::CPU);
        let physical = *devices.first().ok_or(VulkanError::NoDevice)?;
        let family = drawing_family(&instance, physical).ok_or(VulkanError::NoDevice)?;
        let queues = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&[1.0])];
        // SAFETY: as above.
        let features = unsafe { instance.get_physical_device_features(physical) };
        let info =
            vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_features(&features);
        // SAFETY: as above; all features are those that the device has.
        let device = unsafe { instance.create_device(physical, &info, None)? };
        let pool = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        // SAFETY: as above; the family has one queue.
        let (queue, commands, memory) = unsafe {
            (
                device.get_device_queue(family, 0),
                device.create_command_pool(&pool, None)?,
                instance.get_physical_device_memory_properties(physical),
            )
        };
        let properties = properties(physical);
        let name = properties.device_name_as_c_str().unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        Ok(Self { device, queue, commands, memory, name, instance, _entry: entry })
    }

    /// What the device is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: everything made of the device borrows it, and is gone.
        unsafe {
            self.device.destroy_command_pool(self.commands, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

/// The first family of queues that draws.
fn drawing_family(instance: &Instance, device: vk::PhysicalDevice) -> Option<u32> {
    // SAFETY: the device is one of the instance's.
    let families = unsafe { instance.get_physical_device_queue_family_properties(device) };
    let draws =
        |family: &vk::QueueFamilyProperties| family.queue_flags.contains(vk::QueueFlags::GRAPHICS);
    families.iter().position(draws).map(|at| at as u32)
}
