#version 450
// Arrays of blocks of the patch: their first subscript names no vertex.
layout(triangles) in;
layout(location=4) patch in B { vec4 f; vec2 g; } b[2];
layout(location=0) in vec4 a[];
layout(location=0) out vec4 o;
void main(){ gl_Position=a[0]+b[1].f; o=b[0].f+vec4(b[1].g,b[0].g); }
