#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) in flat int which;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 2) uniform sampler2D plain;
layout(set = 0, binding = 3) uniform sampler2DArrayShadow depth;
layout(set = 0, binding = 4) uniform texture2D image;
layout(set = 0, binding = 5) uniform sampler nearest;
layout(set = 0, binding = 6) uniform sampler linear;
layout(set = 1, binding = 0) uniform samplerCube cubes[3];
layout(set = 1, binding = 1, rgba8) uniform writeonly image2D target;
void main() {
    colour = texture(plain, uv) + texture(plain, uv, 1.5) + textureLod(plain, uv, 2.0) + textureGrad(plain, uv, uv.yx, uv);
    colour += textureProj(plain, vec3(uv, 2.0)) + textureOffset(plain, uv, ivec2(1, -1));
    colour.x += texture(depth, vec4(uv, 1.0, 0.5));
    colour += texture(sampler2D(image, nearest), uv) + texture(sampler2D(image, linear), uv);
    colour += texelFetch(plain, ivec2(uv), 1) + textureGather(plain, uv, 2);
    colour += texture(cubes[1], uv.xyx) + texture(cubes[which], uv.xyx);
    colour.xy += vec2(textureSize(plain, 0)) + textureQueryLod(plain, uv) + float(textureQueryLevels(plain));
    imageStore(target, ivec2(uv), colour);
    if (colour.x > 5.0) discard;
}
