"""Which element states the frame of a sensor's messages, and which Gazebo reads it: from the sources of gz-sensors."""
import pytest
from lxml import etree

from sdf_frames.load import load_text
from sdf_frames.sdf.sensor_ids import GAZEBOS, choose_element, find_stated, read_baseline

SENSOR = ('<sensor name="s" type="camera"><ignition_frame_id>c</ignition_frame_id><camera><optical_frame_id>d'
          '</optical_frame_id></camera><gz_frame_id> b </gz_frame_id><frame_id>a</frame_id>'
          '<plugin><frameName>f</frameName><frame_name>e</frame_name></plugin><plugin><frame_name/></plugin></sensor>')


@pytest.mark.parametrize("gazebo, texts", [
    ("fortress", {"b", "c", "d"}), ("garden", {"b", "c", "d"}), ("harmonic", {"b", "d"}), ("ionic", {"a", "b", "d"}),
    ("jetty", {"a", "b"}), ("classic", {"e", "f"})])
def test_what_each_release_reads(gazebo, texts):
    assert {s.text for s in find_stated(etree.XML(SENSOR)) if gazebo in s.row.gazebos} == texts


def test_the_element_of_the_latest_version_comes_first():
    assert [s.text for s in find_stated(etree.XML(SENSOR))] == list("abcdef")


def test_what_is_written_for_each_release():
    assert [choose_element(gazebo) for gazebo in GAZEBOS] == ["gz_frame_id"] * 3 + ["frame_id"] * 2


@pytest.mark.parametrize("content, baseline", [
    ("<plugin><hackBaseline>0.07</hackBaseline></plugin>", 0.07),
    ("<plugin><hack_baseline>0</hack_baseline></plugin>", 0),
    ("<plugin><hackBaseline>x</hackBaseline></plugin>", 0), ("", 0),
    # CameraInfo: P[3] is -fx * baseline.
    ("<camera><lens><projection><p_fx>500</p_fx><tx>-60</tx></projection></lens></camera>", 0.12),
    ("<camera><lens><projection><p_fx>0</p_fx><tx>-60</tx></projection></lens></camera>", 0)])
def test_the_distance_of_a_stereo_pair(content, baseline):
    assert read_baseline(etree.XML(f"<sensor>{content}</sensor>")) == pytest.approx(baseline)


def test_an_id_that_gazebo_reads_is_no_unknown_element():
    text = ('<sdf version="1.9"><model name="m"><link name="l"><sensor name="s" type="imu"><gz_frame_id>l</gz_frame_id>'
            '</sensor></link></model></sdf>')
    assert load_text(text).diagnostics == ()
    (finding,) = load_text(text.replace("gz_frame_id", "frame_id")).diagnostics
    assert finding.name == "feature-of-later-version" and "1.12" in finding.message
    assert load_text(text.replace("gz_frame_id", "frame_id").replace("1.9", "1.12")).diagnostics == ()
