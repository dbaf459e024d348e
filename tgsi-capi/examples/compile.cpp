// Takes a shader (TGSI, or SPIR-V from GLSL) to words for Latte and simulates them: compile FILE
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "tgsi.h"

template <auto release> struct Free {
    template <typename T> void operator()(T *handle) const { release(handle); }
};
template <typename T, auto release> using Handle = std::unique_ptr<T, Free<release>>;

int main(int argc, char **argv) {
    std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    tgsi_error *failed = nullptr;
    Handle<tgsi_shader, tgsi_shader_free> shader(
        tgsi_shader_read(reinterpret_cast<const uint8_t *>(text.data()), text.size(), &failed));
    Handle<tgsi_error, tgsi_error_free> error(failed);
    if (!shader) return std::printf("%s\n", tgsi_error_message(error.get(), 0)), 1;
    Handle<tgsi_program, tgsi_program_free> program(tgsi_compile(shader.get(), "latte", 2, false, nullptr));
    Handle<tgsi_words, tgsi_words_free> words(tgsi_program_words(program.get(), nullptr));
    Handle<tgsi_text, tgsi_text_free> ran(
        tgsi_program_simulate(program.get(), "{\"consts\": [[1, 0.5, 0.25, 1]]}", nullptr));
    if (!ran) return 1;
    std::printf("%zu words\n%s\n", tgsi_words_count(words.get()), tgsi_text_data(ran.get()));
}
