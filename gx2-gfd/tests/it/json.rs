//! Files as JSON.

use gx2_gfd::File;

use crate::support::{STYLES, file};

#[test]
fn files_round_trip_through_json() {
    for style in STYLES {
        let mut file = file(&style);
        file.trailing = vec![0xAB, 0xCD];
        let json = serde_json::to_string(&file).unwrap();
        let again: File = serde_json::from_str(&json).unwrap();
        assert_eq!(again, file, "{style:?}");
        assert_eq!(again.write().unwrap(), file.write().unwrap());
    }
}

#[test]
fn people_can_read_it() {
    let json = serde_json::to_value(file(&STYLES[0])).unwrap();
    let shader = &json["blocks"][0]["content"]["VertexShader"]["shader"];
    assert_eq!(shader["mode"], "UNIFORM_BLOCK");
    assert_eq!(shader["registers"]["SPI_VS_OUT_ID"][0], 0xFFFF_FF00_u32);
    assert_eq!(shader["tables"]["uniform_vars"][1]["kind"], "FLOAT4X4");
    assert_eq!(shader["attrib_vars"][1]["kind"], 77);
    assert_eq!(shader["attrib_vars"][0]["name"], "position");
    assert_eq!(json["blocks"][1]["content"]["Bytes"].as_str().map(|text| text.len() % 2), Some(0));
}

#[test]
fn json_that_is_wrong_is_refused() {
    let good = serde_json::to_string(&file(&STYLES[0])).unwrap();
    for (from, to, message) in [
        ("\"FLOAT4X4\"", "\"FLOAT9\"", "unknown name `FLOAT9`"),
        ("\"SPI_INPUT_Z\"", "\"SPI_INPUT_Q\"", "SPI_INPUT_Z needs 1 words"),
        ("\"0001", "\"0x01", "expected pairs of hexadecimal digits"),
        ("\"0001", "\"+0+1", "expected pairs of hexadecimal digits"),
    ] {
        assert!(good.contains(from), "{from}");
        let bad = good.replacen(from, to, 1);
        let error = serde_json::from_str::<File>(&bad).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}
