/* The shader toolchain for C and C++. Written by cbindgen from the Rust sources; see README.md of tgsi-capi. */

#ifndef TGSI_H
#define TGSI_H

#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>

/**
 * Bytes of a file.
 */
typedef struct tgsi_bytes tgsi_bytes;

/**
 * All problems of an input, the first error before the others.
 */
typedef struct tgsi_error tgsi_error;

/**
 * A compiled shader.
 */
typedef struct tgsi_program tgsi_program;

/**
 * A shader that was read without errors.
 */
typedef struct tgsi_shader tgsi_shader;

/**
 * A text in UTF-8: TGSI, a listing, or JSON.
 */
typedef struct tgsi_text tgsi_text;

/**
 * Words of a program, or of a shader as drivers pass it on, in the byte order of this machine.
 */
typedef struct tgsi_words tgsi_words;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The bytes. They live as long as the handle; NULL for NULL.
 *
 * # Safety
 * `bytes` is NULL or live bytes.
 */
const uint8_t *tgsi_bytes_data(const struct tgsi_bytes *bytes);

/**
 * The number of bytes; 0 for NULL.
 *
 * # Safety
 * `bytes` is NULL or live bytes.
 */
size_t tgsi_bytes_count(const struct tgsi_bytes *bytes);

/**
 * Frees bytes; does nothing for NULL.
 *
 * # Safety
 * `bytes` is NULL or live bytes, and is not used again.
 */
void tgsi_bytes_free(struct tgsi_bytes *bytes);

/**
 * The number of problems.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
size_t tgsi_error_count(const struct tgsi_error *error);

/**
 * The message of problem `index`; NULL beyond the last. It lives as long as the error.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
const char *tgsi_error_message(const struct tgsi_error *error, size_t index);

/**
 * The name of the rule that problem `index` breaks; NULL if it breaks none.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
const char *tgsi_error_code(const struct tgsi_error *error, size_t index);

/**
 * How to fix problem `index`; NULL if unknown.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
const char *tgsi_error_help(const struct tgsi_error *error, size_t index);

/**
 * The position of problem `index`: bytes `*begin` to `*end` of the input. False if it has no position.
 *
 * # Safety
 * `error` is NULL or a live error; `begin` and `end` are NULL or may be written to.
 */
bool tgsi_error_span(const struct tgsi_error *error,
                     size_t index,
                     size_t *begin,
                     size_t *end);

/**
 * The line of problem `index`, from 1; 0 if it has none.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
size_t tgsi_error_line(const struct tgsi_error *error, size_t index);

/**
 * The column of problem `index` in its line, in bytes from 1; 0 if it has none.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
size_t tgsi_error_column(const struct tgsi_error *error, size_t index);

/**
 * All problems as a list in JSON. It lives as long as the error; NULL for NULL.
 *
 * # Safety
 * `error` is NULL or a live error.
 */
const char *tgsi_error_json(const struct tgsi_error *error);

/**
 * Frees an error; does nothing for NULL.
 *
 * # Safety
 * `error` is NULL or a live error, and is not used again.
 */
void tgsi_error_free(struct tgsi_error *error);

/**
 * Compiles the `count` shaders of a draw into the bytes of a `.gsh` file: vertex, geometry and pixel shader in any
 * order. `level` and `precise` are those of `tgsi_compile`. With `uniform_registers`, uniforms are in registers
 * instead of blocks.
 *
 * # Safety
 * `count` addresses can be read at `shaders`; each is NULL or that of a live shader. `error` is NULL or may be written
 * to.
 */
struct tgsi_bytes *tgsi_link(const struct tgsi_shader *const *shaders,
                             size_t count,
                             uint32_t level,
                             bool precise,
                             bool uniform_registers,
                             struct tgsi_error **error);

/**
 * Compiles a shader for the chip of this name, such as `latte` or `rv770`. `level` is 0 to 3. `precise` forbids
 * rewrites that could change a float result.
 *
 * # Safety
 * `shader` is NULL or a live shader. `chip` is a text that ends with a zero byte. `error` is NULL or may be written to.
 */
struct tgsi_program *tgsi_compile(const struct tgsi_shader *shader,
                                  const char *chip,
                                  uint32_t level,
                                  bool precise,
                                  struct tgsi_error **error);

/**
 * The words of a program.
 *
 * # Safety
 * `program` is NULL or a live program. `error` is NULL or may be written to.
 */
struct tgsi_words *tgsi_program_words(const struct tgsi_program *program,
                                      struct tgsi_error **error);

/**
 * The listing of a program.
 *
 * # Safety
 * `program` is NULL or a live program. `error` is NULL or may be written to.
 */
struct tgsi_text *tgsi_program_listing(const struct tgsi_program *program,
                                       struct tgsi_error **error);

/**
 * Words, costs, inputs, outputs and state registers of a program, the JSON of `tgsi compile`.
 *
 * # Safety
 * `program` is NULL or a live program. `error` is NULL or may be written to.
 */
struct tgsi_text *tgsi_program_json(const struct tgsi_program *program, struct tgsi_error **error);

/**
 * Simulates a program on a quad, with the registers and the stack that it declares. `inputs` and the result are the
 * JSON of `tgsi sim`.
 *
 * # Safety
 * `program` is NULL or a live program. `inputs` is a text that ends with a zero byte. `error` is NULL or may be written to.
 */
struct tgsi_text *tgsi_program_simulate(const struct tgsi_program *program,
                                        const char *inputs,
                                        struct tgsi_error **error);

/**
 * Frees a program; does nothing for NULL.
 *
 * # Safety
 * `program` is NULL or a live program, and is not used again.
 */
void tgsi_program_free(struct tgsi_program *program);

/**
 * Assembles a listing for the chip of this name.
 *
 * # Safety
 * `listing` and `chip` are texts that end with a zero byte. `error` is NULL or may be written to.
 */
struct tgsi_words *tgsi_assemble(const char *listing, const char *chip, struct tgsi_error **error);

/**
 * Disassembles `count` words for the chip of this name, even if they are not a valid program.
 *
 * # Safety
 * `count` words can be read at `words`; `chip` is a text that ends with a zero byte. `error` is NULL or may be written
 * to.
 */
struct tgsi_text *tgsi_disassemble(const uint32_t *words,
                                   size_t count,
                                   const char *chip,
                                   struct tgsi_error **error);

/**
 * Simulates `count` words on a quad, as stage `vertex`, `pixel` or `other` of the chip of this name. `inputs` and the
 * result are the JSON of `tgsi sim`.
 *
 * # Safety
 * `count` words can be read at `words`; `chip`, `stage` and `inputs` are texts that end with a zero byte. `error` is
 * NULL or may be written to.
 */
struct tgsi_text *tgsi_simulate(const uint32_t *words,
                                size_t count,
                                const char *chip,
                                const char *stage,
                                const char *inputs,
                                struct tgsi_error **error);

/**
 * Reads a shader of `length` bytes: TGSI text, a stream of little-endian words, or a SPIR-V module with one entry
 * point. The bytes determine the format.
 *
 * # Safety
 * `length` bytes can be read at `data`. `error` is NULL or may be written to.
 */
struct tgsi_shader *tgsi_shader_read(const uint8_t *data,
                                     size_t length,
                                     struct tgsi_error **error);

/**
 * Translates the entry point `entry` of a SPIR-V module of `length` bytes.
 *
 * # Safety
 * `length` bytes can be read at `data`; `entry` is a text that ends with a zero byte. `error` is NULL or may be
 * written to.
 */
struct tgsi_shader *tgsi_shader_from_spirv(const uint8_t *data,
                                           size_t length,
                                           const char *entry,
                                           struct tgsi_error **error);

/**
 * Decodes a shader from `count` words in the format of [`tgsi_shader_tokens`].
 *
 * # Safety
 * `count` words can be read at `words`. `error` is NULL or may be written to.
 */
struct tgsi_shader *tgsi_shader_from_tokens(const uint32_t *words,
                                            size_t count,
                                            struct tgsi_error **error);

/**
 * The shader as TGSI text.
 *
 * # Safety
 * `shader` is NULL or a live shader. `error` is NULL or may be written to.
 */
struct tgsi_text *tgsi_shader_text(const struct tgsi_shader *shader, struct tgsi_error **error);

/**
 * The shader as words of today's dialect.
 *
 * # Safety
 * `shader` is NULL or a live shader. `error` is NULL or may be written to.
 */
struct tgsi_words *tgsi_shader_tokens(const struct tgsi_shader *shader, struct tgsi_error **error);

/**
 * Probable mistakes in the shader: a list in JSON, which may be empty.
 *
 * # Safety
 * `shader` is NULL or a live shader. `error` is NULL or may be written to.
 */
struct tgsi_text *tgsi_shader_warnings(const struct tgsi_shader *shader, struct tgsi_error **error);

/**
 * Runs the shader on a quad in the reference interpreter; `inputs` and the result are the JSON of `tgsi run`.
 *
 * # Safety
 * `shader` is NULL or a live shader. `inputs` is a text that ends with a zero byte. `error` is NULL or may be written
 * to.
 */
struct tgsi_text *tgsi_shader_run(const struct tgsi_shader *shader,
                                  const char *inputs,
                                  struct tgsi_error **error);

/**
 * Frees a shader; does nothing for NULL.
 *
 * # Safety
 * `shader` is NULL or a live shader, and is not used again.
 */
void tgsi_shader_free(struct tgsi_shader *shader);

/**
 * The text, with a zero byte at its end. It lives as long as the handle; NULL for NULL.
 *
 * # Safety
 * `text` is NULL or a live text.
 */
const char *tgsi_text_data(const struct tgsi_text *text);

/**
 * The length in bytes, without the zero byte at the end; 0 for NULL.
 *
 * # Safety
 * `text` is NULL or a live text.
 */
size_t tgsi_text_length(const struct tgsi_text *text);

/**
 * Frees a text; does nothing for NULL.
 *
 * # Safety
 * `text` is NULL or a live text, and is not used again.
 */
void tgsi_text_free(struct tgsi_text *text);

/**
 * The words. They live as long as the handle; NULL for NULL.
 *
 * # Safety
 * `words` is NULL or live words.
 */
const uint32_t *tgsi_words_data(const struct tgsi_words *words);

/**
 * The number of words; 0 for NULL.
 *
 * # Safety
 * `words` is NULL or live words.
 */
size_t tgsi_words_count(const struct tgsi_words *words);

/**
 * Frees words; does nothing for NULL.
 *
 * # Safety
 * `words` is NULL or live words, and is not used again.
 */
void tgsi_words_free(struct tgsi_words *words);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* TGSI_H */
