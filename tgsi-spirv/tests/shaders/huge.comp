#version 450
layout(local_size_x = 4) in;
shared uint big[1073741823];
void main() { big[gl_LocalInvocationIndex] = 1u; }
