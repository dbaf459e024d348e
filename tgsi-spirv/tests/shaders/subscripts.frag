#version 450
// Components that are known at run time: what lies after the vector in its register is not read.
layout(location = 0) in vec2 pair;
layout(location = 0, component = 2) in vec2 other;
layout(location = 1) in vec3 more;
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Push { int which; };

void main() {
    vec3 own = more;
    own[which] = 2.0;
    colour = vec4(pair[which], other[which], interpolateAtCentroid(more[which]), interpolateAtCentroid(pair.y) + own[which]);
}
