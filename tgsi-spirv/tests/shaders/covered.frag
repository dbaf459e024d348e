#version 450
#extension GL_ARB_post_depth_coverage : enable

layout(post_depth_coverage) in;

layout(location = 0) out vec4 colour;

void main() {
    colour = vec4(float(gl_SampleMaskIn[0]));
}
