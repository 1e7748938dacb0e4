"""One noun a file (DESIGN section 2), re-exported."""

from leaderboard.models.announcement import Announcement
from leaderboard.models.attendance import Attendance
from leaderboard.models.audit import AuditEntry
from leaderboard.models.ban import Ban
from leaderboard.models.batch import Batch
from leaderboard.models.benchmark import Benchmark
from leaderboard.models.caption_pair import CaptionPair
from leaderboard.models.chosen_table import ChosenTable
from leaderboard.models.clip import Clip, Reference
from leaderboard.models.clip_map import ClipMap
from leaderboard.models.digest import Digest, RankedRow
from leaderboard.models.direct_upload import DirectUpload
from leaderboard.models.evidence import Evidence
from leaderboard.models.keypoint import Keypoint
from leaderboard.models.kind import Kind
from leaderboard.models.notice import Notice
from leaderboard.models.profile import Profile
from leaderboard.models.pseudonym import Names
from leaderboard.models.quota import QuotaPolicy
from leaderboard.models.ranking import Provenance, Ranking
from leaderboard.models.release import MissingClips, Release
from leaderboard.models.reported import ReportedResult
from leaderboard.models.run import Run
from leaderboard.models.score_vector import ScoreVector
from leaderboard.models.sighting import Sighting
from leaderboard.models.sketch import TextSketch
from leaderboard.models.subject import Subject
from leaderboard.models.submission import Description, Submission
from leaderboard.models.system import System
from leaderboard.models.team import Invitation, Membership, Team
from leaderboard.models.token import ApiToken
from leaderboard.models.track import Track

__all__ = [
    "Announcement",
    "ApiToken",
    "Attendance",
    "AuditEntry",
    "Ban",
    "Batch",
    "Benchmark",
    "CaptionPair",
    "ChosenTable",
    "Clip",
    "ClipMap",
    "Description",
    "Digest",
    "DirectUpload",
    "Evidence",
    "Invitation",
    "Keypoint",
    "Kind",
    "Membership",
    "MissingClips",
    "Names",
    "Notice",
    "Profile",
    "Provenance",
    "QuotaPolicy",
    "RankedRow",
    "Ranking",
    "Reference",
    "Release",
    "ReportedResult",
    "Run",
    "ScoreVector",
    "Sighting",
    "Subject",
    "Submission",
    "System",
    "Team",
    "TextSketch",
    "Track",
]
