#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Questions to textures that are compared, and to images of several samples.
layout(location = 0) in vec4 at;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2DShadow plane;
layout(binding = 1) uniform sampler1DArrayShadow lines;
layout(binding = 2) uniform samplerCubeArrayShadow cubes;
layout(binding = 3) uniform texture2D depth;
layout(binding = 4) uniform samplerShadow comparing;
layout(binding = 5, rgba32f) uniform readonly image2DMS image;
void main() {
    colour = vec4(texture(plane, at.xyz), vec2(textureSize(plane, 1)), textureQueryLevels(plane));
    colour.xy += textureQueryLod(plane, at.xy) + vec2(textureSize(lines, 0));
    colour.z += texture(lines, at.xyz) + texture(cubes, at, at.x) + float(textureSize(cubes, 0).z);
    colour += texelFetch(depth, ivec2(at.xy), 0) + texture(sampler2DShadow(depth, comparing), at.xyz);
    colour += imageLoad(image, imageSize(image) - 1, imageSamples(image) - 1);
}
