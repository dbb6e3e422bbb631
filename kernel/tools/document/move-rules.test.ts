// Orders of moved documents: SiYuan's own from the places they carry along, and the one to set where that is not as asked.

import { describe, expect, it } from "vitest";
import { expectedOrder, groupOf, orderToSet } from "./move-rules.js";
import type { MoveFacts, Mover } from "./moving.js";

const target = { notebook: "n", path: "/t.sy", parentID: "t" };
const idOf = (name: string, second = 0) => `202601010000${String(second).padStart(2, "0")}-${name.padEnd(7, "0")}`;

function mover(id: string, sort: number, more: { folder?: string; hidden?: boolean } = {}): Mover {
  const attributes = new Map(more.hidden ? [["custom-hidden", "true"]] : []);
  const path = `/${more.folder ?? "s"}/${id}.sy`;
  return {
    state: { id, notebook: "n", path, title: id, attributes, dom: "", parts: [], form: "" },
    sort,
    below: [],
    blocking: [],
  };
}

function facts(movers: readonly Mover[], there: readonly [string, number][], sortMode = 6): MoveFacts {
  const visible = there.map(([id, sort]) => ({ id, sort, title: id, path: `/t/${id}.sy` }));
  return { movers, target: { ...target, visible, hidden: [], conf: {}, sortMode }, sources: [], allowsDeeper: false };
}

const [a, b, c, x, y] = ["a", "b", "c", "x", "y"].map((name) => idOf(name)) as [string, string, string, string, string];

describe("the order of a target", () => {
  it("comes from the places that documents carry along, the younger first where they are equal", () => {
    const old = idOf("old", 1);
    const young = idOf("young", 2);
    expect(
      expectedOrder(
        facts(
          [mover(a, 2), mover(old, 3)],
          [
            [x, 1],
            [young, 3],
          ],
        ),
      ),
    ).toEqual([x, a, young, old]);
  });

  it("is left alone when it is as asked, for one document, and in another sort mode", () => {
    expect(orderToSet(facts([mover(a, 1), mover(b, 2)], [[x, 1]]))).toBeUndefined();
    expect(orderToSet(facts([mover(a, 9)], [[x, 1]]))).toBeUndefined();
    expect(orderToSet(facts([mover(b, 2), mover(a, 1)], [[x, 1]], 0))).toBeUndefined();
    expect(groupOf(facts([mover(b, 2), mover(a, 1)], [[x, 1]], 0))).toEqual([]);
  });

  it("gives the group the places it takes together, in the asked order", () => {
    const set = orderToSet(
      facts(
        [mover(c, 5), mover(a, 0), mover(b, 3)],
        [
          [x, 1],
          [y, 4],
        ],
      ),
    );
    expect(set).toEqual([c, x, a, y, b]);
    const equal = orderToSet(facts([mover(b, 2), mover(a, 2)], [[x, 1]]));
    expect(equal).toEqual([x, b, a]);
  });

  it("takes those that are there already into account, and no hidden ones", () => {
    const there = mover(y, 4, { folder: "t" });
    const hidden = mover(c, 0, { hidden: true });
    const set = orderToSet(
      facts(
        [there, hidden, mover(a, 0)],
        [
          [x, 1],
          [y, 4],
        ],
      ),
    );
    expect(set).toEqual([y, x, a]);
  });
});
