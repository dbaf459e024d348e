/* Takes a shader (TGSI, or SPIR-V from GLSL) to words for Latte and simulates them: compile FILE */
#include <stdio.h>
#include "tgsi.h"

int main(int argc, char **argv) {
    static unsigned char data[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    size_t length = fread(data, 1, sizeof data, file);
    fclose(file);
    tgsi_error *error = NULL;
    tgsi_shader *shader = tgsi_shader_read(data, length, &error);
    /* Only the first call that fails is asked for its error; those after it are given NULL. */
    tgsi_program *program = tgsi_compile(shader, "latte", 2, false, shader ? &error : NULL);
    const char *inputs = "{\"consts\": [[1, 0.5, 0.25, 1]]}";
    tgsi_text *ran = tgsi_program_simulate(program, inputs, program ? &error : NULL);
    if (ran) {
        tgsi_words *words = tgsi_program_words(program, NULL);
        printf("%zu words\n%s\n", tgsi_words_count(words), tgsi_text_data(ran));
        tgsi_words_free(words);
    } else {
        fprintf(stderr, "line %zu: %s\n", tgsi_error_line(error, 0), tgsi_error_message(error, 0));
    }
    int code = ran ? 0 : 1;
    tgsi_text_free(ran), tgsi_program_free(program), tgsi_shader_free(shader), tgsi_error_free(error);
    return code;
}
