// Legacy sessions: ids describe themselves, ended ones are remembered up to a bound.

import { describe, expect, it } from "vitest";
import { sessionLimits } from "../../shared/limits.js";
import { Sessions } from "./sessions.js";

const hex = (index: number) => index.toString(16).padStart(16, "0");

describe("Sessions", () => {
  it("accepts its own ids, also those of an earlier run", () => {
    const id = new Sessions().create("2025-06-18", hex(1));
    expect(new Sessions().accepts(id)).toBe(true);
  });

  it.each([
    "",
    "s1",
    `s2-2025-06-18-${hex(1)}`,
    `s1-2025-6-18-${hex(1)}`,
    "s1-2025-06-18-abc",
    `s1-2025-06-18-${"f".repeat(33)}`,
    `s1-2025-06-18-${"F".repeat(16)}`,
    `s1-2025-06-18-${hex(1)} `,
    `x s1-2025-06-18-${hex(1)}`,
  ])("does not accept %j", (id) => {
    expect(new Sessions().accepts(id)).toBe(false);
  });

  it("an ended id stays ended, and ends once", () => {
    const sessions = new Sessions();
    const id = sessions.create("2025-06-18", hex(1));
    expect([sessions.end(id), sessions.accepts(id), sessions.end(id)]).toEqual([true, false, false]);
    expect(sessions.accepts(sessions.create("2025-06-18", hex(2)))).toBe(true);
  });

  it("a foreign id cannot be ended", () => {
    expect(new Sessions().end("foreign")).toBe(false);
  });

  it("remembers the latest ended ids up to its bound", () => {
    const sessions = new Sessions();
    const ids = Array.from({ length: sessionLimits.maxTombstones + 1 }, (_, index) =>
      sessions.create("2025-06-18", hex(index)),
    );
    for (const id of ids) sessions.end(id);
    expect(ids.filter((id) => sessions.accepts(id))).toEqual([ids[0]]);
  });
});
