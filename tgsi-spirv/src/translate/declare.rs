//! Declarations: variables outside functions, and properties.

use spirv::{BuiltIn, ExecutionMode, ExecutionModel, StorageClass};
use tgsi_ir::{Declaration, File, Processor, Property, PropertyName, Semantic, Shader};

use crate::code::finish;
use crate::error::{Fault, invalid, too_large, unsupported};
use crate::interface::SpecConstant;
use crate::module::{EntryPoint, Variable};

use super::value::{Pointer, SlotPointer, Storage, Value};
use super::{Translated, Translator};

/// Maximum number of registers of a file.
const MAX_REGISTERS: u16 = 4096;

/// The stage of an execution model.
pub(crate) fn processor(model: ExecutionModel) -> Result<Processor, Fault> {
    Ok(match model {
        ExecutionModel::Vertex => Processor::Vertex,
        ExecutionModel::TessellationControl => Processor::TessCtrl,
        ExecutionModel::TessellationEvaluation => Processor::TessEval,
        ExecutionModel::Geometry => Processor::Geometry,
        ExecutionModel::Fragment => Processor::Fragment,
        ExecutionModel::GLCompute => Processor::Compute,
        other => return Err(unsupported(format!("the hardware has no stage {other:?}"))),
    })
}

impl<'m> Translator<'m> {
    /// Declares every variable outside functions that the entry point uses.
    pub(super) fn declare_all(&mut self) -> Result<(), Fault> {
        let module = self.module;
        // An output keeps its initial value even if no instruction names it. Clip distances determine where cull
        // distances begin even if no instruction names them.
        let has_use = |variable: &Variable| match variable.class {
            StorageClass::Output if variable.initializer.is_some() => true,
            StorageClass::Input | StorageClass::Output => {
                let built_in = module.decorations.built_in(variable.id, None);
                built_in == Some(BuiltIn::ClipDistance)
            }
            _ => false,
        };
        let is_used = |variable: &&Variable| {
            self.used.ids.contains(&variable.id)
                || has_use(variable) && self.entry.interface.contains(&variable.id)
        };
        let variables: Vec<Variable> = module.variables.iter().filter(is_used).copied().collect();
        variables.iter().try_for_each(|variable| self.judge_variable(variable))?;
        let mut by_binding = variables.clone();
        by_binding.sort_by_key(|variable| self.binding_order(variable));
        self.declare_resources(&by_binding)?;
        self.declare_inputs(&variables)?;
        self.declare_outputs(&variables)?;
        for variable in variables.iter().filter(|one| one.class == StorageClass::Private) {
            self.declare_private(variable)?;
            self.check_size()?;
        }
        self.declare_shared(&variables)?;
        self.clear_shared(&variables)?;
        if self.registers.size_of_largest_file() > MAX_REGISTERS {
            return Err(too_large("more than 4096 registers of inputs or outputs"));
        }
        for &(number, id) in &module.specialization {
            let value = module.constants.get(&id).and_then(|constant| constant.value.bits());
            let value =
                value.ok_or_else(|| invalid(format!("{id} has a SpecId and is not a scalar")))?;
            let name = module.debug.name(id).to_owned();
            self.code.add_name(&name);
            self.check_size()?;
            self.interface.specialization.push(SpecConstant { id: number, name, value });
        }
        Ok(())
    }

    fn declare_private(&mut self, variable: &Variable) -> Result<(), Fault> {
        let first = self.code.temps(self.module.slots(variable.ty)?);
        self.define_temps(variable, first)
    }

    /// Places a variable outside functions in temporaries, and initialises it.
    pub(super) fn define_temps(&mut self, variable: &Variable, first: u32) -> Result<(), Fault> {
        let pointer = SlotPointer {
            storage: Storage::Temps(first),
            ty: variable.ty,
            slot: 0,
            dynamic: None,
            component: None,
            vertex: None,
            is_volatile: false,
        };
        if let Some(initializer) = variable.initializer {
            let value = self.value(initializer)?;
            self.store_slots(&pointer, &value)?;
        }
        let pointer = Value::Pointer(Pointer::Slots(pointer).into());
        self.globals.insert(variable.id, pointer);
        Ok(())
    }

    /// The finished shader.
    pub(super) fn finish(mut self) -> Result<Translated, Fault> {
        self.check_size()?;
        self.settle_distances();
        self.settle_targets();
        let spent = self.code.spent();
        let mut shader = Shader::new(self.processor);
        self.properties(&mut shader)?;
        let code = std::mem::replace(&mut self.code, crate::code::Code::new(0));
        let (mut shader, words) = finish(code, shader, self.options.is_tidy)?;
        let temporaries = std::mem::take(&mut shader.declarations);
        self.declare_registers(&mut shader)?;
        self.resource_declarations(&mut shader);
        shader.declarations.extend(temporaries);
        self.clip_properties(&mut shader);
        Ok(Translated { shader, interface: self.interface, words, spent })
    }

    /// Declares the numbers of clip and cull distances.
    fn clip_properties(&self, shader: &mut Shader) {
        let is_clip = |declaration: &&Declaration| {
            declaration.file == File::Output
                && declaration.semantic.is_some_and(|s| s.name == Semantic::Clipdist)
        };
        if !shader.declarations.iter().any(|declaration| is_clip(&declaration)) {
            return;
        }
        let [clip, cull] = self.clip_and_cull_counts();
        let names = [PropertyName::NumClipdistEnabled, PropertyName::NumCulldistEnabled];
        for (name, number) in names.into_iter().zip([clip, cull]).filter(|&(_, number)| number > 0)
        {
            shader.properties.push(property(name, number));
        }
    }

    fn properties(&self, shader: &mut Shader) -> Result<(), Fault> {
        let properties = &mut shader.properties;
        match self.processor {
            Processor::Fragment => {
                if self.entry.has_mode(ExecutionMode::PixelCenterInteger) {
                    properties.push(property(PropertyName::FsCoordPixelCenter, 1));
                }
                let is_after_depth = self.entry.has_mode(ExecutionMode::PostDepthCoverage);
                if is_after_depth || self.entry.has_mode(ExecutionMode::EarlyFragmentTests) {
                    properties.push(property(PropertyName::FsEarlyDepthStencil, 1));
                }
                if is_after_depth {
                    properties.push(property(PropertyName::FsPostDepthCoverage, 1));
                }
                let depth = [
                    (ExecutionMode::DepthGreater, 2),
                    (ExecutionMode::DepthLess, 3),
                    (ExecutionMode::DepthUnchanged, 4),
                ];
                for (mode, layout) in depth {
                    if self.entry.has_mode(mode) {
                        properties.push(property(PropertyName::FsDepthLayout, layout));
                    }
                }
            }
            Processor::Geometry => self.geometry_properties(properties)?,
            Processor::TessCtrl => {
                let vertices = self.patch_mode(ExecutionMode::OutputVertices).unwrap_or(1);
                properties.push(property(PropertyName::TcsVerticesOut, vertices));
            }
            Processor::TessEval => self.evaluation_properties(properties),
            Processor::Compute => {
                let size = self.work_group_size()?;
                let names = [
                    PropertyName::CsFixedBlockWidth,
                    PropertyName::CsFixedBlockHeight,
                    PropertyName::CsFixedBlockDepth,
                ];
                properties.extend(names.into_iter().zip(size).map(|(n, size)| property(n, size)));
            }
            _ => {}
        }
        Ok(())
    }

    fn geometry_properties(&self, properties: &mut Vec<Property>) -> Result<(), Fault> {
        // Gallium's numbers of primitives.
        let inputs = [
            (ExecutionMode::InputPoints, 0),
            (ExecutionMode::InputLines, 1),
            (ExecutionMode::InputLinesAdjacency, 10),
            (ExecutionMode::Triangles, 4),
            (ExecutionMode::InputTrianglesAdjacency, 12),
        ];
        let outputs = [
            (ExecutionMode::OutputPoints, 0),
            (ExecutionMode::OutputLineStrip, 3),
            (ExecutionMode::OutputTriangleStrip, 5),
        ];
        let find = |list: &[(ExecutionMode, u32)]| {
            let found = list.iter().find(|(mode, _)| self.entry.has_mode(*mode));
            found
                .map(|&(_, number)| number)
                .ok_or_else(|| invalid("an execution mode lacks its primitive"))
        };
        properties.push(property(PropertyName::GsInputPrim, find(&inputs)?));
        properties.push(property(PropertyName::GsOutputPrim, find(&outputs)?));
        let vertices = self.entry.mode(ExecutionMode::OutputVertices).unwrap_or(0);
        properties.push(property(PropertyName::GsMaxOutputVertices, vertices));
        let invocations = self.entry.mode(ExecutionMode::Invocations).unwrap_or(1);
        properties.push(property(PropertyName::GsInvocations, invocations));
        Ok(())
    }

    fn evaluation_properties(&self, properties: &mut Vec<Property>) {
        // Gallium's numbers of primitives and spacings.
        let primitives = [
            (ExecutionMode::Triangles, 4),
            (ExecutionMode::Quads, 7),
            (ExecutionMode::Isolines, 1),
        ];
        let spacings = [
            (ExecutionMode::SpacingEqual, 2),
            (ExecutionMode::SpacingFractionalOdd, 0),
            (ExecutionMode::SpacingFractionalEven, 1),
        ];
        let orders = [(ExecutionMode::VertexOrderCcw, 0), (ExecutionMode::VertexOrderCw, 1)];
        let find = |list: &[(ExecutionMode, u32)]| {
            let of = |entry: &EntryPoint| list.iter().find(|(mode, _)| entry.has_mode(*mode));
            let found = of(self.entry).or_else(|| self.other_of_patch().and_then(of));
            found.map(|&(_, number)| number)
        };
        let values = [
            (PropertyName::TesPrimMode, find(&primitives).unwrap_or(4)),
            (PropertyName::TesSpacing, find(&spacings).unwrap_or(2)),
            (PropertyName::TesVertexOrderCw, find(&orders).unwrap_or(0)),
            (PropertyName::TesPointMode, find(&[(ExecutionMode::PointMode, 1)]).unwrap_or(0)),
        ];
        properties.extend(values.map(|(name, value)| property(name, value)));
    }

    /// The first operand of a mode that may belong to either entry point of tessellation.
    fn patch_mode(&self, mode: ExecutionMode) -> Option<u32> {
        self.entry.mode(mode).or_else(|| self.other_of_patch()?.mode(mode))
    }

    /// The entry point of the other tessellation stage, if the module has exactly one. A tessellation mode may belong
    /// to either entry point and applies to both.
    fn other_of_patch(&self) -> Option<&'m EntryPoint> {
        let other = match self.processor {
            Processor::TessCtrl => ExecutionModel::TessellationEvaluation,
            Processor::TessEval => ExecutionModel::TessellationControl,
            _ => return None,
        };
        let mut others = self.module.entry_points.iter().filter(|entry| entry.model == other);
        others.next().filter(|_| others.next().is_none())
    }
}

/// A property with one value.
fn property(name: PropertyName, value: u32) -> Property {
    Property { name, values: [value].into_iter().collect() }
}
