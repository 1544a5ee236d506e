"""Tensors of PyTorch on the arrays of worlds, without copies."""

import numpy as np
import pytest

import stiction

torch = pytest.importorskip("torch")


def test_controls_of_a_batch_are_written_through_a_tensor():
    model = stiction.make_scene("quadruped_standing")
    by_tensor, by_array = stiction.Batch(model, 3), stiction.Batch(model, 3)
    tensor = torch.from_numpy(by_tensor.controls)
    assert tensor.data_ptr() == by_tensor.controls.ctypes.data
    for i in range(5):
        tensor.fill_(0.1 * i)
        by_array.controls[:] = 0.1 * i
        by_tensor.step(2)
        by_array.step(2)
    assert np.array_equal(by_tensor.q, by_array.q)
    assert np.any(by_tensor.controls != 0)


def test_a_network_drives_a_batch_as_its_weights_by_hand_do():
    model = stiction.make_scene("quadruped_standing")
    dofs, controls = model.num_v - 6, stiction.Batch(model, 1).controls.shape[1]
    torch.manual_seed(0)
    network = torch.nn.Linear(dofs, controls, dtype=torch.float64)
    weights, offset = network.weight.detach().numpy(), network.bias.detach().numpy()
    batch, twin = stiction.Batch(model, 2), stiction.Batch(model, 2)
    with torch.no_grad():
        for _ in range(10):
            batch.controls[:] = network(torch.as_tensor(np.array(batch.v[:, 6:]))).numpy()
            twin.controls[:] = twin.v[:, 6:] @ weights.T + offset
            batch.step(1)
            twin.step(1)
    # The sums of the two libraries are rounded in another order.
    np.testing.assert_allclose(batch.q, twin.q, rtol=0, atol=1e-9)
