"""Several position axes with NumPy: the number of axes, and position_ids of text, images and video."""
import numpy as np

from rotary import TWO

# The first two or three axes follow the ids of text and images; ggml adds a fourth axis.
MROPE = ("sectioned", "interleaved", "interleaved4", "height_width_time")


def axis_count(axes):
    scheme, sections = axes
    return len(sections) if scheme in ("sectioned", "blocks") else 2 if scheme in TWO else 4 if scheme.endswith("4") else 3


def draw_axes(rng, pairs):
    scheme = str(rng.choice(["sectioned"] * 5 + ["interleaved"] * 4 + ["axial"] * 2 + [
        "interleaved4", "height_width_time", "blocks", "blocks", "halves", "even_odd", "alternating"]))
    if scheme in TWO:
        return scheme, ()
    quarter = pairs // 4
    if scheme == "height_width_time":
        side = pairs // 3 if rng.random() < 0.5 else quarter
        return scheme, (side, side, pairs - 2 * side)
    if scheme == "interleaved4":
        third = (pairs - 2) // 3
        return scheme, (third + 1, third, third, pairs - 1 - 3 * third)
    if scheme == "interleaved":
        side = int(rng.integers(quarter, pairs // 3 + 1))
        return scheme, (pairs - 2 * side, side, side)
    first = int(rng.choice([quarter, pairs // 2, pairs - 2 * (pairs // 3)]))
    second = (pairs - first) // 2 if rng.random() < 0.8 else (pairs - first) // 3
    return scheme, (first, second, pairs - first - second)


# ---- ids ----------------------------------------------------------------------------------------

def with_images(rng, rows):
    """ids [3, rows] by Qwen2-VL's rule: after a text or an image, positions continue beyond its largest id.
    Also returns a mask of the images' rows, and the first id of each row's image."""
    parts, of_image, starts, next_id, count = [], [], [], 0, 0
    is_text = rng.random() < 0.85
    while count < rows:
        if is_text:
            length = int(rng.integers(1, 24))
            grid = np.broadcast_to(np.arange(length), (3, length))
        else:
            frames = 1 if rng.random() < 0.7 else int(rng.integers(2, 4))
            high, wide = rng.integers(2, 12, 2)
            grid = np.indices((frames, high, wide)).reshape(3, -1)
        parts.append(grid + next_id)
        of_image.append(np.full(grid.shape[1], not is_text))
        starts.append(np.full(grid.shape[1], next_id))
        count += grid.shape[1]
        next_id = int(parts[-1].max()) + 1
        is_text = not is_text
    return (np.concatenate(parts, 1)[:, :rows].astype(float), np.concatenate(of_image)[:rows],
            np.concatenate(starts)[:rows].astype(float))


def draw_ids(rng, axes, batch, rows):
    """ids [axes, batch, rows] and their kind; for images also the mask of their rows and their first ids."""
    count = axis_count(axes)
    images = np.zeros((batch, rows), bool), np.zeros((batch, rows))
    if axes[0] in MROPE and count >= 3:
        kind = str(rng.choice(["images"] * 6 + ["text", "random"]))
    else:
        kind = str(rng.choice(["grid"] * 3 + ["random"]))
    shared = rng.random() < 0.5
    if kind == "images":
        drawn = [with_images(rng, rows) for _ in range(1 if shared else batch)] * (batch if shared else 1)
        ids = np.stack([one[0] for one in drawn], 1)
        images = np.stack([one[1] for one in drawn]), np.stack([one[2] for one in drawn])
    elif kind == "text":
        ids = np.broadcast_to(np.arange(rows, dtype=float) + int(rng.choice([0, 3, 100])), (3, batch, rows))
    elif kind == "grid":
        wide = int(rng.integers(3, 40))
        high = int(rng.integers(2, 1 + max(2, rows // wide)))
        t = np.arange(rows)
        ids = np.stack([t % wide, t // wide] if count == 2 else [t // (wide * high), t // wide % high, t % wide])
        ids = np.broadcast_to(ids[:, None], (count, batch, rows)).astype(float)
    else:
        most = int(rng.choice([60, 600, 4000, 40000]))
        ids = rng.integers(0, most, (count, 1 if shared else batch, rows)).astype(float)
        ids = np.broadcast_to(ids, (count, batch, rows))
    if len(ids) < count:  # ggml's fourth axis
        ids = np.concatenate([ids, np.zeros((count - len(ids), batch, rows))])
    return np.array(ids[:count]), kind, images


def behind_images(setup):
    """A mask [batch, rows] of the rows after a sequence's last image."""
    images = setup.images[0]
    last = np.flip(np.maximum.accumulate(np.flip(images, -1), -1), -1)
    return ~last & images.any(-1, keepdims=True)
