#version 450
// Arrays of blocks of the patch: their first subscript names no vertex.
layout(vertices=3) out;
layout(location=0) in vec4 a[];
layout(location=4) patch out B { vec4 f; vec2 g; } b[2];
layout(location=0) out vec4 o[];
void main(){
  o[gl_InvocationID]=a[gl_InvocationID];
  b[0].f=a[0]; b[1].f=a[1]; b[0].g=a[2].xy; b[1].g=a[2].zw;
  gl_TessLevelOuter[0]=1; gl_TessLevelOuter[1]=1; gl_TessLevelOuter[2]=1; gl_TessLevelInner[0]=1;
}
