"""The environments that gymnasium.make() and make_vec() know after `import stiction`."""

EPISODE_STEPS = {"Reach": 200, "QuadrupedVelocity": 500}
"""Name: steps of an episode."""

_FUNCTIONS = {"Reach": "reach", "QuadrupedVelocity": "quadruped_velocity"}


def register() -> None:
    """Tells Gymnasium, where it is installed; an environment's code is imported when one is made."""
    try:
        import gymnasium
    except ImportError:
        return
    for name, function in _FUNCTIONS.items():
        gymnasium.register(
            id=f"stiction/{name}-v0",
            entry_point=f"stiction.gym:{function}",
            vector_entry_point=f"stiction.gym:{function}",
            max_episode_steps=EPISODE_STEPS[name],
        )
