"""How Hypothesis makes examples for a proof that counts and explains them itself."""

from hypothesis import HealthCheck, Phase, settings


def generated(count: int) -> settings:
    """Settings for so many examples: the same in every run, and none of them made smaller."""
    return settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
