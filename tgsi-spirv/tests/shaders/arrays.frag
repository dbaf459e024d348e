#version 450
// Inputs and blocks of which a subscript at run time means one: in an array, a structure, a matrix and an array of one.
struct Pair { vec3 first; float second; };
layout(location = 0) in vec3 plain[2];
layout(location = 2) in Pair pairs[2];
layout(location = 6) in float beside;
layout(location = 7) in mat2x3 matrix;
layout(location = 9) in vec2 single[1];
layout(location = 10) in float constant[3];
layout(binding = 0) uniform Numbers { int n; int m; };
layout(binding = 1) uniform Scale { vec4 scale; } scales[3];
layout(location = 0) out vec4 colour;

void main()
{
    colour = vec4(plain[n], beside);
    colour.xyz += pairs[m].first * matrix[n];
    colour.xy += single[m];
    colour.w += constant[2];
    colour *= scales[m].scale;
}
