#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform Tint { vec4 tint; };
layout(binding = 1) uniform sampler2D picture;
void main() {
    vec4 texel = texture(picture, uv);
    colour = vec4(mix(texel.rgb, tint.rgb, tint.a), texel.a);
}
