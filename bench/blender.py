"""Where Blender shows the vertices of GLB files, for bench/engines.ts.

  blender -b --factory-startup --python-exit-code 1 --python bench/blender.py -- jobs.json

jobs.json is a list of {"file", "out", "times", "move"}. Each file holds at most one clip. Armatures are moved by `move` (4 × 4,
row-major, y up) if there is one. For each time (seconds), and once at rest if there
are none, the world positions of all mesh objects are appended to `out` as float32, y up; `out`.json lists the objects.
"""

import json
import sys

import addon_utils
import bpy
import numpy as np
from mathutils import Matrix

np.bool = bool  # Blender 3.4 expects an older NumPy.


def import_file(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    addon_utils.enable("io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=path)
    # Shapes of bones that the importer makes are no part of the file.
    return sorted((o for o in bpy.context.scene.objects if o.type == "MESH"), key=lambda o: o.name)


def world_positions(obj, depsgraph):
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    local = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", local)
    evaluated.to_mesh_clear()
    world = np.array(evaluated.matrix_world)
    x, y, z = (local.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]).T
    return np.stack([x, z, -y], axis=1).astype(np.float32)


def move_armatures(rows):
    upright = Matrix(((1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)))  # y up to z up
    move = upright @ Matrix([rows[4 * r : 4 * r + 4] for r in range(4)]) @ upright.inverted()
    for obj in bpy.context.scene.objects:
        if obj.type == "ARMATURE":
            obj.matrix_world = move @ obj.matrix_world


def run(job):
    objects = import_file(job["file"])
    if "move" in job:
        move_armatures(job["move"])
    scene = bpy.context.scene
    with open(job["out"], "wb") as out:
        for time in job["times"] or [None]:
            if time is not None:
                frame = time * scene.render.fps / scene.render.fps_base
                scene.frame_set(int(frame // 1), subframe=frame % 1)
            depsgraph = bpy.context.evaluated_depsgraph_get()
            for obj in objects:
                out.write(world_positions(obj, depsgraph).tobytes())
    with open(job["out"] + ".json", "w") as out:
        json.dump([{"name": o.name, "vertices": len(o.data.vertices)} for o in objects], out)


for each in json.load(open(sys.argv[sys.argv.index("--") + 1])):
    run(each)
