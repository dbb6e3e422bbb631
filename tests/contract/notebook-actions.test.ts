// The notebook tool beyond list and create: reads, settings, open state, permissions, removal.

import { beforeAll, describe, expect, it } from "vitest";
import { storageFolder } from "../../shared/wire/plugin.js";
import { LegacyClient } from "./legacy-client.js";
import { credentialsOf } from "./modern-client.js";
import { useScratch } from "./scratch.js";
import { useOwnerSettings } from "./settings.js";
import { useTier } from "./tier.js";
import { world } from "./world.js";

const missing = "20200101000000-zzzzzzz";
const tier = useTier();
const scratch = useScratch(tier);
const { client, siyuan } = scratch;
const legacy = new LegacyClient(tier);
const settings = useOwnerSettings(siyuan);

/** A notebook of its own, with what its level has to be. */
async function notebook(level: string): Promise<string> {
  const made = await client.write("notebook", { action: "create", name: `own ${Math.random().toString(36).slice(2)}` });
  const id = String(made.notebook);
  if (level !== "rw") await scratch.setPermission(id, level);
  return id;
}

/** Twice if need be: SiYuan puts a notebook back that it happens to list while it removes it. */
async function drop(id: string): Promise<void> {
  for (let tries = 0; tries < 3 && id in (await world(siyuan)); tries++)
    await siyuan.call("/api/notebook/removeNotebook", { notebook: id });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100 && !(await condition()); tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("reads", () => {
  it("get_conf gives the settings", async () => {
    const read = await client.ok("notebook", { action: "get_conf", notebook: scratch.notebook });
    expect(read).toMatchObject({ box: scratch.notebook, conf: { closed: false, sortMode: 15 } });
    expect(read.name).toBe((await world(siyuan))[scratch.notebook]?.name);
    expect(JSON.stringify(read)).not.toContain("boxCrypt");
    expect((await client.refused("notebook", { action: "get_conf", notebook: missing })).code).toBe(
      "notebook_not_found",
    );
  });

  it("get_permissions gives all that are not hidden, or one", async () => {
    const hidden = await notebook("none");
    try {
      for (const args of [{}, { notebook: "all" }]) {
        const { notebooks } = await client.ok("notebook", { action: "get_permissions", ...args });
        expect(notebooks).toContainEqual(expect.objectContaining({ id: scratch.notebook, permission: "rw" }));
        expect(JSON.stringify(notebooks)).not.toContain(hidden);
      }
      const one = await client.ok("notebook", { action: "get_permissions", notebook: scratch.notebook });
      expect(one.notebook).toMatchObject({ id: scratch.notebook, permission: "rw" });
      expect((await client.refused("notebook", { action: "get_permissions", notebook: hidden })).code).toBe(
        "permission_denied",
      );
      expect((await client.refused("notebook", { action: "get_permissions", notebook: missing })).code).toBe(
        "notebook_not_found",
      );
      expect(
        (await client.refused("notebook", { action: "get_permissions", notebook: "some" })).fields?.[0]?.path,
      ).toBe("notebook");
    } finally {
      await drop(hidden);
    }
  }, 20_000);

  it("get_child_docs gives the documents at the root, in pages", async () => {
    const own = await notebook("rw");
    try {
      expect(await client.ok("notebook", { action: "get_child_docs", notebook: own })).toMatchObject({
        notebook: own,
        data: [],
        total: 0,
      });
      for (const path of ["/a", "/b", "/c/d"])
        await siyuan.data("/api/filetree/createDocWithMd", { notebook: own, path, markdown: "x" });
      const whole = await client.ok("notebook", { action: "get_child_docs", notebook: own });
      const rows = whole.data as { title: string; children: number }[];
      expect(rows.map((row) => row.title).sort()).toEqual(["a", "b", "c"]);
      expect(rows.find((row) => row.title === "c")?.children).toBe(1);
      expect(
        await client.ok("notebook", { action: "get_child_docs", notebook: own, page: 2, pageSize: 2 }),
      ).toMatchObject({ total: 3, page: 2, pageCount: 2, data: [rows[2]] });
      expect((await client.refused("notebook", { action: "get_child_docs", notebook: missing })).code).toBe(
        "notebook_not_found",
      );
    } finally {
      await drop(own);
    }
  });
});

describe("rename", () => {
  it("changes the name and nothing else", async () => {
    const before = await world(siyuan);
    const name = "Renamed: *?\"<b>' é😀 {{x}}";
    const done = await client.write("notebook", { action: "rename", notebook: scratch.notebook, name });
    expect(done).toMatchObject({
      success: true,
      notebook: scratch.notebook,
      name,
      safety: { transactionState: "committed" },
    });
    const own = before[scratch.notebook];
    expect(await world(siyuan)).toEqual({
      ...before,
      [scratch.notebook]: { ...own, name, conf: { ...own?.conf, name } },
    });
  });

  it("to the same name is no change", async () => {
    const name = (await world(siyuan))[scratch.notebook]?.name;
    const done = await client.write("notebook", { action: "rename", notebook: scratch.notebook, name });
    expect(done.safety).toMatchObject({ transactionState: "no_change" });
  });

  const names: [string, string][] = [
    ["a slash", "a/b"],
    ["a tab", "a\tb"],
    ["outer spaces", " a "],
    ["only spaces", "  "],
    ["a zero-width space", "a\u200bb"],
    ["a no-break space", "a\u00a0b"],
  ];
  it.each(names)("refuses %s, which SiYuan would change", async (_name, name) => {
    const before = await world(siyuan);
    const error = await client.refused("notebook", {
      action: "rename",
      notebook: scratch.notebook,
      name,
      validateOnly: true,
    });
    expect(error).toMatchObject({ code: "content_would_be_lost", fields: [{ path: "name" }] });
    expect(await world(siyuan)).toEqual(before);
  });

  it("refuses a missing notebook and an empty name", async () => {
    expect(
      (await client.refused("notebook", { action: "rename", notebook: missing, name: "x", validateOnly: true })).code,
    ).toBe("notebook_not_found");
    expect(
      (await client.refused("notebook", { action: "rename", notebook: scratch.notebook, name: "", validateOnly: true }))
        .fields?.[0]?.path,
    ).toBe("name");
  });

  it("is refused when somebody renamed it meanwhile", async () => {
    const args = { action: "rename", notebook: scratch.notebook, name: "mine" };
    const preflight = await client.preflight("notebook", args);
    expect(preflight.preview).toMatchObject({ to: "mine" });
    await siyuan.data("/api/notebook/renameNotebook", { notebook: scratch.notebook, name: "theirs" });
    expect((await client.refused("notebook", { ...args, ...credentialsOf(preflight) })).code).toBe("state_changed");
    expect((await world(siyuan))[scratch.notebook]?.name).toBe("theirs");
  });

  it("needs rw", async () => {
    const own = await notebook("r");
    try {
      expect(
        (await client.refused("notebook", { action: "rename", notebook: own, name: "x", validateOnly: true })).code,
      ).toBe("permission_denied");
    } finally {
      await drop(own);
    }
  });
});

describe("set_icon", () => {
  it("sets and removes the icon and changes nothing else", async () => {
    for (const icon of ["1f4d4", "1f3f3-fe0f-200d-1f308", ""]) {
      const before = await world(siyuan);
      const done = await client.write("notebook", { action: "set_icon", notebook: scratch.notebook, icon });
      expect(done).toMatchObject({ success: true, icon, safety: { transactionState: "committed" } });
      const own = before[scratch.notebook];
      expect(await world(siyuan)).toEqual({
        ...before,
        [scratch.notebook]: { ...own, icon, conf: { ...own?.conf, icon } },
      });
    }
  });

  it("makes no ghost of a missing notebook and takes only code points", async () => {
    const before = await world(siyuan);
    expect(
      (await client.refused("notebook", { action: "set_icon", notebook: missing, icon: "1f4d4", validateOnly: true }))
        .code,
    ).toBe("notebook_not_found");
    expect(
      (
        await client.refused("notebook", {
          action: "set_icon",
          notebook: scratch.notebook,
          icon: "📕",
          validateOnly: true,
        })
      ).fields?.[0]?.path,
    ).toBe("icon");
    expect(await world(siyuan)).toEqual(before);
  });
});

describe("set_conf", () => {
  const setConf = (conf: object) => ({ action: "set_conf", notebook: scratch.notebook, conf });

  it("changes what is asked and keeps the rest", async () => {
    const conf = {
      name: "Conf name",
      sortMode: 6,
      refCreateSavePath: "refs/in",
      dailyNoteSavePath: '/daily/{{now | date "2006"}}',
      dailyNoteTemplatePath: "/t/x.md",
    };
    for (const changes of [{ sortMode: 4 }, conf]) {
      const before = await world(siyuan);
      const done = await client.write("notebook", setConf(changes));
      expect(done).toMatchObject({ success: true, ...changes, safety: { transactionState: "committed" } });
      const own = before[scratch.notebook];
      const name = "name" in changes ? changes.name : own?.name;
      expect(await world(siyuan)).toEqual({
        ...before,
        [scratch.notebook]: { ...own, name, conf: { ...own?.conf, ...changes } },
      });
    }
    expect((await client.write("notebook", setConf(conf))).safety.transactionState).toBe("no_change");
    expect((await client.write("notebook", setConf({}))).safety.transactionState).toBe("no_change");
  });

  const refused: [string, object, string, string][] = [
    ["closed", { closed: true }, "conf.closed", "set_open_state"],
    ["closed: false", { closed: false }, "conf.closed", "set_open_state"],
    ["a name with a slash", { name: "a/b" }, "conf.name", ""],
    ["a setting of another version", { createDocNameTemplate: "x" }, "conf.createDocNameTemplate", "no such setting"],
    ["a daily note path without /", { dailyNoteSavePath: "daily/x" }, "conf.dailyNoteSavePath", "/"],
    ["the daily note path /", { dailyNoteSavePath: "/" }, "conf.dailyNoteSavePath", "/"],
    ["a template without .md", { dailyNoteTemplatePath: "/t/x" }, "conf.dailyNoteTemplatePath", ".md"],
    ["a template outside the templates", { dailyNoteTemplatePath: "/../x.md" }, "conf.dailyNoteTemplatePath", ".md"],
    ["outer spaces", { refCreateSavePath: " a" }, "conf.refCreateSavePath", "spaces"],
    ["an unknown key", { colour: 1 }, "conf.colour", ""],
    ["a sort mode of 16", { sortMode: 16 }, "conf.sortMode", ""],
  ];
  it.each(refused)("refuses %s", async (_name, conf, field, text) => {
    const before = await world(siyuan);
    const error = await client.refused("notebook", { ...setConf(conf), validateOnly: true });
    expect(error.fields?.map(({ path }) => path)).toContain(field);
    expect(error.message).toContain(text);
    expect(await world(siyuan)).toEqual(before);
  });

  it("refuses a missing notebook", async () => {
    expect(
      (await client.refused("notebook", { ...setConf({ sortMode: 6 }), notebook: missing, validateOnly: true })).code,
    ).toBe("notebook_not_found");
  });
});

describe("set_open_state", () => {
  it("closes and opens, and nothing else changes", async () => {
    const own = await notebook("rw");
    try {
      const doc = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: own,
        path: "/d",
        markdown: "kept",
      });
      const before = await world(siyuan);
      const view = before[own];
      const isLoaded = async () =>
        Object.keys(await siyuan.data<object>("/api/block/getBlockTreeInfos", { ids: [doc] })).length > 0;

      const closed = await client.write("notebook", { action: "set_open_state", notebook: own, opened: false });
      expect(closed).toMatchObject({
        success: true,
        notebook: own,
        opened: false,
        safety: { transactionState: "committed" },
      });
      expect(await isLoaded()).toBe(false);
      expect(await world(siyuan)).toEqual({
        ...before,
        [own]: { ...view, closed: true, conf: { ...view?.conf, closed: true }, documents: {} },
      });
      expect(
        (await client.write("notebook", { action: "set_open_state", notebook: own, opened: false })).safety
          .transactionState,
      ).toBe("no_change");
      expect(
        (await client.refused("notebook", { action: "rename", notebook: own, name: "x", validateOnly: true })).code,
      ).toBe("notebook_closed");
      expect((await client.refused("notebook", { action: "get_child_docs", notebook: own })).code).toBe(
        "notebook_closed",
      );

      const opened = await client.write("notebook", { action: "set_open_state", notebook: own, opened: true });
      expect(opened).toMatchObject({ opened: true, safety: { transactionState: "committed" } });
      expect(await isLoaded()).toBe(true);
      expect(await world(siyuan)).toEqual(before);
      expect(
        (await client.write("notebook", { action: "set_open_state", notebook: own, opened: true })).safety
          .transactionState,
      ).toBe("no_change");
    } finally {
      await drop(own);
    }
  }, 30_000);

  it("works on an empty notebook", async () => {
    const own = await notebook("rw");
    try {
      for (const opened of [false, true]) {
        expect(
          (await client.write("notebook", { action: "set_open_state", notebook: own, opened })).safety.transactionState,
        ).toBe("committed");
      }
    } finally {
      await drop(own);
    }
  });

  it("tells a notebook that SiYuan only calls open", async () => {
    const own = await notebook("rw");
    try {
      const doc = await siyuan.data<string>("/api/filetree/createDocWithMd", {
        notebook: own,
        path: "/d",
        markdown: "x",
      });
      await siyuan.data("/api/notebook/closeNotebook", { notebook: own });
      await until(
        async () => Object.keys(await siyuan.data<object>("/api/block/getBlockTreeInfos", { ids: [doc] })).length === 0,
      );
      await siyuan.data("/api/notebook/setNotebookConf", { notebook: own, conf: { closed: false } });
      const error = await client.refused("notebook", {
        action: "set_open_state",
        notebook: own,
        opened: true,
        validateOnly: true,
      });
      expect(error).toMatchObject({ code: "invalid_arguments", fields: [{ path: "opened" }] });
      for (const opened of [false, true]) {
        expect(
          (await client.write("notebook", { action: "set_open_state", notebook: own, opened })).safety.transactionState,
        ).toBe("committed");
      }
    } finally {
      await drop(own);
    }
  }, 20_000);

  it("refuses a missing notebook and a missing state", async () => {
    expect(
      (
        await client.refused("notebook", {
          action: "set_open_state",
          notebook: missing,
          opened: true,
          validateOnly: true,
        })
      ).code,
    ).toBe("notebook_not_found");
    expect(
      (await client.refused("notebook", { action: "set_open_state", notebook: scratch.notebook, validateOnly: true }))
        .fields?.[0]?.path,
    ).toBe("opened");
  });
});

describe("dangerous actions", () => {
  it("are off by default", async () => {
    expect(
      (await client.refused("notebook", { action: "remove", notebook: scratch.notebook, validateOnly: true })).code,
    ).toBe("action_disabled");
    expect(
      (
        await client.refused("notebook", {
          action: "set_permission",
          notebook: scratch.notebook,
          permission: "r",
          validateOnly: true,
        })
      ).code,
    ).toBe("action_disabled");
  });

  describe("switched on", () => {
    beforeAll(() => settings.set({ notebook: { actions: { remove: true, set_permission: true } } }), 20_000);

    it("set_permission stores the level of one notebook and keeps the others", async () => {
      const read = async () => JSON.parse((await siyuan.readFile(`${storageFolder}/notebookPermissions`)) ?? "{}");
      const own = await notebook("rw");
      try {
        const before = await read();
        const everything = await world(siyuan);
        const done = await legacy.write(
          "notebook",
          { action: "set_permission", notebook: own, permission: "none" },
          client,
        );
        expect(done).toMatchObject({
          success: true,
          notebook: own,
          permission: "none",
          safety: { transactionState: "committed" },
        });
        expect(await read()).toEqual({ ...before, [own]: "none" });
        expect((await client.refused("notebook", { action: "get_conf", notebook: own })).code).toBe(
          "permission_denied",
        );
        expect(
          (await legacy.write("notebook", { action: "set_permission", notebook: own, permission: "none" }, client))
            .safety.transactionState,
        ).toBe("no_change");
        expect(await world(siyuan)).toEqual(everything);
      } finally {
        await drop(own);
      }
    }, 20_000);

    it("set_permission wants a confirmation, a level and a notebook that exists", async () => {
      const args = { action: "set_permission", notebook: scratch.notebook, permission: "r" };
      const call = { ...args, ...credentialsOf(await client.preflight("notebook", args)) };
      expect((await legacy.call("notebook", call)).structured.error.code).toBe(
        "dangerous_action_requires_confirmation",
      );
      expect(
        (await client.refused("notebook", { ...args, permission: "all", validateOnly: true })).fields?.[0]?.path,
      ).toBe("permission");
      expect((await client.refused("notebook", { ...args, notebook: missing, validateOnly: true })).code).toBe(
        "notebook_not_found",
      );
    });

    it("remove takes the notebook away and nothing else, and replays", async () => {
      const own = await notebook("rwd");
      await siyuan.data("/api/filetree/createDocWithMd", { notebook: own, path: "/a/b", markdown: "x" });
      const { [own]: _gone, ...others } = await world(siyuan);
      const args = { action: "remove", notebook: own };
      const preflight = await client.preflight("notebook", args);
      expect(preflight.preview).toMatchObject({ documents: 2 });
      const call = { ...args, ...credentialsOf(preflight) };
      expect(await legacy.commit("notebook", call)).toMatchObject({
        success: true,
        notebook: own,
        safety: { transactionState: "committed" },
      });
      expect(await world(siyuan)).toEqual(others);
      expect(await legacy.commit("notebook", call)).toMatchObject({ safety: { replayed: true } });
    }, 20_000);

    it("remove works on a closed notebook", async () => {
      const own = await notebook("rwd");
      await siyuan.data("/api/notebook/closeNotebook", { notebook: own });
      expect(
        (await legacy.write("notebook", { action: "remove", notebook: own }, client)).safety.transactionState,
      ).toBe("committed");
      expect(Object.keys(await world(siyuan))).not.toContain(own);
    }, 20_000);

    it("remove stops at a document written meanwhile", async () => {
      const own = await notebook("rwd");
      try {
        const args = { action: "remove", notebook: own };
        const preflight = await client.preflight("notebook", args);
        await siyuan.data("/api/filetree/createDocWithMd", { notebook: own, path: "/late", markdown: "x" });
        const { structured } = await legacy.call("notebook", { ...args, ...credentialsOf(preflight), confirm: true });
        expect(structured.error.code).toBe("state_changed");
        expect(Object.keys(await world(siyuan))).toContain(own);
      } finally {
        await drop(own);
      }
    }, 20_000);

    it("remove needs rwd and a notebook that exists", async () => {
      const denied = await client.refused("notebook", {
        action: "remove",
        notebook: scratch.notebook,
        validateOnly: true,
      });
      expect(denied).toMatchObject({ code: "permission_denied", requiredPermission: "rwd" });
      expect((await client.refused("notebook", { action: "remove", notebook: missing, validateOnly: true })).code).toBe(
        "notebook_not_found",
      );
    });
  });
});
