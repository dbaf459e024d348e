/* Takes a shader to words for Latte, and runs both: compile FILE */
#include <stdio.h>
#include <stdlib.h>

#include "tgsi.h"

static void stop(tgsi_error *error) {
    fprintf(stderr, "line %zu: %s\n", tgsi_error_line(error, 0), tgsi_error_message(error, 0));
    tgsi_error_free(error);
    exit(1);
}

int main(int argc, char **argv) {
    static unsigned char data[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!file) return 2;
    size_t length = fread(data, 1, sizeof data, file);
    fclose(file);
    tgsi_error *error = NULL;
    tgsi_shader *shader = tgsi_shader_read(data, length, &error);
    if (!shader) stop(error);
    tgsi_program *program = tgsi_compile(shader, "latte", 2, false, &error);
    if (!program) stop(error);
    tgsi_words *words = tgsi_program_words(program, NULL);
    printf("%zu words\n", tgsi_words_count(words));
    tgsi_text *ran = tgsi_shader_run(shader, "{\"consts\": [[1, 0.5, 0.25, 1]]}", NULL);
    printf("%s", tgsi_text_data(ran));
    tgsi_text_free(ran);
    tgsi_words_free(words);
    tgsi_program_free(program);
    tgsi_shader_free(shader);
    return 0;
}
