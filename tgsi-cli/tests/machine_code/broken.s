; Reads a texel where its clause has fetched it, and a result that is none.
ALU:
    x: MOV R0.x, PV.x
TEX:
    SAMPLE R1.xyzw, R0.xy__, t0, s0
    SAMPLE R2.xyzw, R1.xy__, t0, s0
; A second window that nothing reads.
ALU: KCACHE1(CB1:0-15)
    x: MOV R0.x, R2.x
EXP_DONE: PIX0, R0.xy01
END_OF_PROGRAM
