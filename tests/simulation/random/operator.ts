// What happens to the machine and to the plugin from outside, at moments that the seed draws.

import { deviceFolder } from "../../../shared/wire/plugin.js";
import type { Random } from "../world/random.js";
import type { World } from "../world/world.js";
import type { Disaster, Profile } from "./profile.js";

const day = 86_400_000;

export function scheduleDisasters(world: World, random: Random, profile: Profile): void {
  for (let number = 0; number < profile.disasters; number++) {
    const kind = random.pick(profile.disasterKinds);
    if (kind === undefined) return;
    world.time.at(random.delay(10, profile.disasterSpanMs), () => strike(world, random, kind));
  }
}

export function strike(world: World, random: Random, kind: Disaster): void {
  if (world.isHealed) return;
  const { time, disk } = world;
  switch (kind) {
    case "crash":
      world.crash("killed", random.delay(100, 20_000));
      break;
    case "power cut":
      world.powerCut(random.chance(0.7), random.delay(100, 20_000));
      break;
    case "unload":
      world.reload("unload");
      break;
    case "abrupt reload":
      world.reload("abrupt");
      break;
    case "orphan":
      world.reload("orphan");
      break;
    case "temp emptied":
      world.emptyTemp();
      break;
    case "disk full":
      world.trace.add("## the disk is full");
      disk.isFull = true;
      time.at(random.delay(100, 60_000), () => {
        disk.isFull = false;
        world.trace.add("## the disk has room again");
      });
      break;
    case "ledger restored": {
      const copy = disk.copy(deviceFolder);
      time.at(random.delay(100, 120_000), () => {
        world.trace.add("## an old copy of temp/ is put back");
        disk.restore(deviceFolder, copy, time.elapsedMs);
        world.oracle.evidence.recordsMayBeLost();
        world.lookAtFence();
      });
      break;
    }
    case "clock forward":
      world.stepWallClock(clockStep(random));
      break;
    case "clock back":
      world.stepWallClock(-clockStep(random));
      break;
    case "frozen timers":
      world.freezeTimers(random.between(1_000, 900_000));
      break;
    case "permission revoked":
      world.setPermissions(() => random.pick(["none", "r", "rw"]) ?? "r");
      time.at(random.delay(100, 60_000), () => world.setPermissions(() => "rwd"));
  }
}

/** Minutes, or sometimes days. */
function clockStep(random: Random): number {
  return random.chance(0.15) ? random.between(1, 10 * day) : random.between(1, 20 * 60_000);
}
