#version 450

layout(location = 0) in Block {
    flat float first;
    noperspective vec2 second;
    centroid vec3 third;
    vec4 last;
} blocks[2];

layout(location = 0) out vec4 colour;

void main() {
    colour = vec4(blocks[0].first, blocks[1].second, blocks[1].third.z) + blocks[0].last + blocks[1].first;
}
