//! Files of other people's tools, beside the repository where they are.

use std::fs;

use gx2_gfd::{Content, Layout, Shader};
use test_support::{files, shared};

use crate::support::round_trip;

/// They come back, each of their structures in the layout of a known tool, with its program.
#[test]
fn published_files_round_trip() {
    let Some(folder) = shared("vectors/gsh") else { return };
    for path in files(&folder, "gsh") {
        let read = round_trip(&fs::read(&path).unwrap());
        let is_usual = |content: &Content| match content {
            Content::VertexShader(section) => matches!(section.layout, Layout::Usual(_)),
            Content::PixelShader(section) => matches!(section.layout, Layout::Usual(_)),
            _ => true,
        };
        assert!(read.blocks.iter().all(|block| is_usual(&block.content)), "{path:?}");
        assert!(read.blocks.iter().all(|block| block.fault(read.endian).is_none()), "{path:?}");
        let shaders = read.shaders();
        assert_eq!(shaders.len(), 2, "{path:?}");
        for shader in shaders {
            let (size, program) = match shader {
                Shader::Vertex { header, program } => (header.shader.program_size, program),
                Shader::Pixel { header, program } => (header.shader.program_size, program),
                Shader::Geometry { .. } | Shader::Compute { .. } => continue,
            };
            assert_eq!(program.map(<[u8]>::len), Some(size as usize), "{path:?}");
        }
    }
}
