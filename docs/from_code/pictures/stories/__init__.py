"""All stories of the manual, by the pages that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from docs.from_code.pictures.stories.cluster_tutorial import CLUSTER
from docs.from_code.pictures.stories.explanations import EXPLANATIONS
from docs.from_code.pictures.stories.four_pictures import FOUR
from docs.from_code.pictures.stories.how_to_pages import HOW_TO
from docs.from_code.pictures.stories.lesson_tutorial import LESSON
from docs.from_code.pictures.stories.policy_tutorial import POLICY
from docs.from_code.pictures.stories.reference_pages import REFERENCE
from docs.from_code.pictures.stories.window_page import FRONT, WINDOW

if TYPE_CHECKING:
    from docs.from_code.pictures.story import Story

TUTORIALS: tuple[Story, ...] = (CLUSTER, POLICY, LESSON)
"""Those that a reader performs step by step; tests perform them, too."""
STORIES: tuple[Story, ...] = (FRONT, *TUTORIALS, *WINDOW, *HOW_TO, *REFERENCE, *EXPLANATIONS, *FOUR)
