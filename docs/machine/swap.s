ALU:
  0 x: MOV R0.x, R0.y
    y: MOV R0.y, R0.x
  1 x: ADD R0.x, R0.x, R0.y
EXP_DONE: PIX0, R0.xyzw
END_OF_PROGRAM
