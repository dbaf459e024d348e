// Three accesses of one bundle: the first two release barriers 0 and 1, the last waits for both.
TEX.T      R0, R8, 5, 2D, 0x7      &wr0 ?stall1;   // filtered: s, t in R8 and R9
TLDS.LZ.T  R7, R4, R10, R11, 6, 2D, RGB &wr1 ?stall2;   // one texel: column in R10, row in R11
TEX.LL.DC.P R12, R16, R2, 7, ARRAY_2D, 0x1 &req={0,1} &wr2 ?stall1;   // layer, s, t; level, reference
