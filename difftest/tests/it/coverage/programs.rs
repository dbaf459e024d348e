//! A small program for each opcode and stage.

use tgsi_ir::{FlowRole, Opcode, OpcodeType, Processor, SrcRole};

/// The programs of an opcode: several where its result does not fit in what one can show.
pub(crate) fn of(opcode: Opcode, stage: Processor) -> Vec<String> {
    if let Some(code) = flow(opcode) {
        return vec![program(stage, code, "")];
    }
    let of_target = |target: &&str| showing(opcode, stage, &operation(opcode, stage, target));
    targets(opcode).iter().flat_map(of_target).collect()
}

/// The programs of an opcode that accesses buffers, with counters in place of them; none of other opcodes.
pub(crate) fn of_counters(opcode: Opcode, stage: Processor) -> Vec<String> {
    let code = operation(opcode, stage, "");
    match code.contains("BUFFER[0]") {
        true => showing(opcode, stage, &code.replace("BUFFER[0]", "HWATOMIC[0][1]")),
        false => Vec::new(),
    }
}

/// Programs of this code, which show the result of an opcode.
fn showing(opcode: Opcode, stage: Processor, code: &str) -> Vec<String> {
    let is_float = opcode.info().dst_types.first() == Some(&OpcodeType::Float);
    let untyped = [Opcode::Mov, Opcode::Ucmp, Opcode::Uarl, Opcode::Cmp].contains(&opcode);
    let shows_bits = !is_float && !untyped && !opcode.info().dst_types.is_empty()
        || opcode.info().name.starts_with("PK");
    if !shows_bits {
        return vec![program(stage, code, "")];
    }
    // Integers go through floats, half by half: as floats, some bits are no number.
    let low = "AND TEMP[0], TEMP[0], IMM[1].xxxx\nU2F TEMP[0], TEMP[0]\n";
    let high = "USHR TEMP[0], TEMP[0], IMM[1].yyyy\nU2F TEMP[0], TEMP[0]\n";
    vec![program(stage, code, low), program(stage, code, high)]
}

/// A whole shader around `code`, which leaves its result in `TEMP[0]`; `show` makes a float of it.
fn program(stage: Processor, code: &str, show: &str) -> String {
    let (main, subroutine) = code.split_once("END\n").unwrap_or((code, ""));
    let (header, output) = match stage {
        Processor::Vertex => (
            "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\n",
            "POSITION\nDCL OUT[1], GENERIC[0]",
        ),
        Processor::Fragment => (
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\n\
             DCL IN[2], GENERIC[2], PERSPECTIVE\nDCL IN[3], GENERIC[3], PERSPECTIVE\n",
            "COLOR",
        ),
        Processor::Geometry => (
            "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n\
             PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\n\
             DCL IN[][2], GENERIC[2]\nDCL IN[][3], GENERIC[3]\n",
            "POSITION",
        ),
        Processor::TessCtrl => (
            "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\n\
             DCL IN[][2], GENERIC[2]\nDCL IN[][3], GENERIC[3]\n",
            "PATCH[0]",
        ),
        Processor::TessEval => (
            "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\n\
             DCL IN[][1], GENERIC[1]\nDCL IN[][2], GENERIC[2]\nDCL IN[][3], GENERIC[3]\n",
            "POSITION",
        ),
        _ => (
            "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\n\
             PROPERTY CS_FIXED_BLOCK_DEPTH 1\nDCL SV[0], THREAD_ID\nDCL CONST[0..3]\n\
             DCL MEMORY[0], SHARED\n",
            "",
        ),
    };
    let mut text = header.to_owned();
    if !output.is_empty() {
        text += &format!("DCL OUT[0], {output}\n");
    }
    text += &resources(code);
    text += "DCL TEMP[0..7]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {65535, 16, 256, 0}\n\
             IMM[2] FLT32 {0.5, 1.0, 2.0, 4.0}\n";
    text += &in_stage(stage, main);
    text += show;
    text += match stage {
        Processor::Vertex => "MOV OUT[1], TEMP[0]\nMOV OUT[0], IN[0]\n",
        Processor::Geometry => "MOV OUT[0], TEMP[0]\nEMIT IMM[0].xxxx\n",
        // After what the opcode itself may change.
        Processor::Compute => {
            "UMAD TEMP[7].x, SV[0].xxxx, IMM[1].yyyy, IMM[1].zzzz\n\
             STORE MEMORY[0].xyzw, TEMP[7].xxxx, TEMP[0]\n"
        }
        _ => "MOV OUT[0], TEMP[0]\n",
    };
    let label = text.lines().filter(|line| is_instruction(line)).count() + 1;
    text = text.replace("CAL :SUB", &format!("CAL :{label}"));
    text + "END\n" + &in_stage(stage, subroutine)
}

/// Code with the inputs of a stage.
fn in_stage(stage: Processor, code: &str) -> String {
    match stage {
        Processor::Geometry | Processor::TessCtrl | Processor::TessEval => {
            code.replace("IN[", "IN[0][")
        }
        Processor::Compute => of_group(code),
        _ => code.to_owned(),
    }
}

/// What a work group has in place of inputs and buffers.
fn of_group(main: &str) -> String {
    let main = main.replace("IN[", "CONST[");
    if main.contains("RESQ") { main } else { main.replace("BUFFER[0]", "MEMORY[0]") }
}

fn is_instruction(line: &str) -> bool {
    let head = line.split([' ', '[']).next().unwrap_or_default();
    !["VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP", "DCL", "IMM", "PROPERTY"]
        .contains(&head)
}

/// Declarations of what `code` uses.
fn resources(code: &str) -> String {
    let mut text = String::new();
    let target = code.lines().find(|line| line.contains("SAMP[0]")).and_then(|line| {
        let last = line.rsplit(", ").next()?;
        (!last.contains('[')).then_some(last)
    });
    if code.contains("SAMP[0]") {
        text += "DCL SAMP[0]\n";
    }
    if code.contains("SAMP[0]") || code.contains("SVIEW[0]") {
        let target = target.unwrap_or(if code.contains("_MS ") { "2D_MSAA" } else { "2D" });
        text += &format!("DCL SVIEW[0], {target}, FLOAT\n");
    }
    if code.contains("CONST[") {
        text += "DCL CONST[0..3]\n";
    }
    if code.contains("BUFFER[0]") {
        text += "DCL BUFFER[0]\n";
    }
    if code.contains("HWATOMIC") {
        // As many as a load of four channels has.
        text += "DCL HWATOMIC[0][0..4]\n";
    }
    if code.contains("IMAGE[0]") {
        text += "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n";
    }
    text
}

/// The opcode with plain operands.
fn operation(opcode: Opcode, stage: Processor, target: &str) -> String {
    let info = opcode.info();
    let mut operands = Vec::new();
    for n in 0..info.num_dst {
        operands.push(destination(opcode, n));
    }
    let mut value = 0;
    for n in 0..usize::from(info.num_src) {
        let role = info.src_roles.get(n).copied().unwrap_or(SrcRole::Value);
        operands.push(source(opcode, stage, role, &mut value));
    }
    if info.is_tex {
        operands.push(target.to_owned());
    }
    let mut text = format!("{} {}\n", info.name, operands.join(", "));
    // Quotients of numbers that hardware takes for 0 are not compared.
    if opcode == Opcode::Div {
        text = format!("ADD TEMP[2], |IN[1]|, IMM[2].yyyy\n{}", text.replace("IN[1]", "TEMP[2]"));
    }
    if opcode == Opcode::Log {
        text = format!("ADD TEMP[2], |IN[0]|, IMM[2].xxxx\n{}", text.replace("IN[0]", "TEMP[2]"));
    }
    if opcode == Opcode::Clock {
        // Clocks differ, but all run.
        text += "USGE TEMP[0], TEMP[0].xxxx, IMM[0].xxxx\n";
    }
    // Outside of quads derivatives are those of nothing: coordinates are the same for all lanes.
    if opcode == Opcode::Txb2 && matches!(stage, Processor::Geometry | Processor::TessCtrl) {
        text = text.replace("IN[", "CONST[");
    }
    if opcode == Opcode::Store {
        text += "LOAD TEMP[0], BUFFER[0], IMM[0].xxxx\n";
    }
    let clear = "MOV TEMP[0], IMM[0].xxxx\nMOV TEMP[1], IMM[0].xxxx\n";
    let second = if info.num_dst == 2 { "XOR TEMP[0], TEMP[0], TEMP[1]\n" } else { "" };
    format!("{clear}{text}{second}")
}

fn destination(opcode: Opcode, n: u8) -> String {
    match opcode {
        Opcode::Store => "BUFFER[0].x".to_owned(),
        _ => format!("TEMP[{n}]"),
    }
}

fn source(opcode: Opcode, stage: Processor, role: SrcRole, value: &mut usize) -> String {
    let mut next = || {
        let at = *value;
        *value += 1;
        format!("IN[{at}]")
    };
    match role {
        SrcRole::Sampler => "SAMP[0]".to_owned(),
        SrcRole::View => "SVIEW[0]".to_owned(),
        SrcRole::Resource if opcode == Opcode::Img2hnd => "IMAGE[0]".to_owned(),
        SrcRole::Resource => "BUFFER[0]".to_owned(),
        SrcRole::Address => "IMM[0].xxxx".to_owned(),
        SrcRole::Output => "OUT[0]".to_owned(),
        // Inputs of a scene are no planes: only places that are the centre can be compared.
        SrcRole::Channels(_) if opcode == Opcode::InterpOffset => "IMM[0].xxxx".to_owned(),
        SrcRole::Channels(_) if opcode == Opcode::Tg4 => "IMM[0].yyyy".to_owned(),
        SrcRole::Input if stage != Processor::Fragment => next(),
        _ => next(),
    }
}

const TEX_TARGETS: [&str; 14] = [
    "2D",
    "1D",
    "3D",
    "RECT",
    "CUBE",
    "1D_ARRAY",
    "2D_ARRAY",
    "CUBEARRAY",
    "SHADOW1D",
    "SHADOW2D",
    "SHADOWRECT",
    "SHADOWCUBE",
    "SHADOW1D_ARRAY",
    "SHADOW2D_ARRAY",
];

const LEVEL_TARGETS: [&str; 9] =
    ["2D", "1D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY", "SHADOW1D", "SHADOW2D", "SHADOW1D_ARRAY"];

const GRADIENTS_TARGETS: [&str; 13] = [
    "2D",
    "1D",
    "3D",
    "RECT",
    "CUBE",
    "1D_ARRAY",
    "2D_ARRAY",
    "CUBEARRAY",
    "SHADOW1D",
    "SHADOW2D",
    "SHADOWCUBE",
    "SHADOW1D_ARRAY",
    "SHADOW2D_ARRAY",
];

const FETCH_TARGETS: [&str; 9] =
    ["2D", "1D", "3D", "RECT", "BUFFER", "1D_ARRAY", "2D_ARRAY", "2D_MSAA", "2D_ARRAY_MSAA"];

/// What an opcode can read; other opcodes have one program.
fn targets(opcode: Opcode) -> &'static [&'static str] {
    match opcode {
        Opcode::Tex => &TEX_TARGETS,
        Opcode::Txp => &["2D", "1D", "3D", "RECT", "SHADOW1D", "SHADOW2D", "SHADOWRECT"],
        Opcode::Txb | Opcode::Txl => &LEVEL_TARGETS,
        Opcode::Txd => &GRADIENTS_TARGETS,
        Opcode::Txf => &FETCH_TARGETS,
        Opcode::TxfLz => &["2D", "1D", "3D", "1D_ARRAY", "2D_ARRAY"],
        Opcode::Txq => {
            &["2D", "1D", "3D", "RECT", "CUBE", "BUFFER", "1D_ARRAY", "2D_ARRAY", "CUBEARRAY"]
        }
        Opcode::Tg4 => {
            &["2D", "CUBE", "2D_ARRAY", "CUBEARRAY", "SHADOW2D", "SHADOWCUBE", "SHADOW2D_ARRAY"]
        }
        Opcode::Lodq => &["2D", "1D", "3D", "CUBE", "2D_ARRAY", "CUBEARRAY"],
        Opcode::Tex2 => &["SHADOWCUBEARRAY"],
        Opcode::Txb2 | Opcode::Txl2 => &["CUBEARRAY", "SHADOW2D_ARRAY", "SHADOWCUBE"],
        Opcode::Txqs => &["2D_MSAA", "2D_ARRAY_MSAA"],
        _ => &["2D"],
    }
}

/// Programs of opcodes that direct control, or do something besides giving a result.
fn flow(opcode: Opcode) -> Option<&'static str> {
    Some(match opcode.info().flow {
        FlowRole::If | FlowRole::Else | FlowRole::EndIf => {
            if opcode == Opcode::Uif {
                "MOV TEMP[0], IN[1]\nUIF IN[0].xxxx\nADD TEMP[0], IN[0], IN[1]\nELSE\n\
                 MUL TEMP[0].x, IN[2], IN[1]\nENDIF\n"
            } else {
                "MOV TEMP[0], IN[1]\nSLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\n\
                 ADD TEMP[0], IN[0], IN[1]\nELSE\nMUL TEMP[0].x, IN[2], IN[1]\nENDIF\n"
            }
        }
        FlowRole::LoopBegin | FlowRole::LoopEnd | FlowRole::Break | FlowRole::Continue => {
            "MOV TEMP[0], IN[1]\nMOV TEMP[1].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].y, TEMP[1].xxxx, \
             IMM[0].wwww\nUIF TEMP[1].yyyy\nBRK\nENDIF\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n\
             SLT TEMP[1].z, TEMP[0].xxxx, IN[0].yyyy\nIF TEMP[1].zzzz\nADD TEMP[0].x, TEMP[0].xxxx, \
             IMM[2].yyyy\nCONT\nENDIF\nADD TEMP[0], TEMP[0], IN[2]\nENDLOOP\n"
        }
        FlowRole::SwitchBegin | FlowRole::Case | FlowRole::Default | FlowRole::SwitchEnd => {
            "MOV TEMP[0], IN[1]\nMAX TEMP[1].x, IN[0].xxxx, IMM[0].xxxx\nF2U TEMP[1].x, TEMP[1].xxxx\n\
             SWITCH TEMP[1].xxxx\nCASE IMM[0].xxxx\nADD TEMP[0], IN[0], IN[1]\nBRK\nCASE IMM[0].yyyy\n\
             ADD TEMP[0].y, IN[0], IN[2]\nCASE IMM[0].zzzz\nADD TEMP[0].x, TEMP[0], IN[2]\nBRK\n\
             DEFAULT\nMOV TEMP[0], IN[2]\nENDSWITCH\n"
        }
        FlowRole::SubBegin | FlowRole::SubEnd | FlowRole::Call | FlowRole::Return => {
            "MOV TEMP[0], IN[1]\nCAL :SUB\nADD TEMP[0], TEMP[0], IN[2]\nEND\nBGNSUB\n\
             SLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\nRET\nENDIF\n\
             MUL TEMP[0], TEMP[0], IN[0]\nENDSUB\n"
        }
        FlowRole::End => "MOV TEMP[0], IN[1]\n",
        FlowRole::Kill => {
            "MOV TEMP[0], IN[1]\nSLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\nIF TEMP[1].xxxx\n\
             KILL\nENDIF\n"
        }
        FlowRole::Demote => {
            "MOV TEMP[0], IN[1]\nSLT TEMP[1].x, IN[0].xxxx, IN[1].xxxx\n\
             IF TEMP[1].xxxx\nDEMOTE\nENDIF\n"
        }
        FlowRole::KillIf => "MOV TEMP[0], IN[1]\nKILL_IF IN[0]\n",
        FlowRole::Emit if opcode == Opcode::Endprim => {
            "MOV TEMP[0], IN[1]\nMOV OUT[0], IN[0]\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\n"
        }
        FlowRole::Emit => "MOV TEMP[0], IN[1]\nMOV OUT[0], IN[0]\nEMIT IMM[0].xxxx\n",
        FlowRole::Barrier if opcode == Opcode::Barrier => "MOV TEMP[0], IN[1]\nBARRIER\n",
        FlowRole::Barrier => "MOV TEMP[0], IN[1]\nMEMBAR IMM[0].wwww\n",
        FlowRole::None if opcode == Opcode::Nop => "MOV TEMP[0], IN[1]\nNOP\n",
        _ => return None,
    })
}
