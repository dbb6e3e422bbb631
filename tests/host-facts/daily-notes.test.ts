// Facts: today's note of a notebook, and blocks added to it.
import { describe, expect, test } from "vitest";
import { createScratch, firstOperation, missing, removeScratch, type WriteAnswer } from "./host.ts";
import { useHost } from "./use-host.ts";

const { api } = useHost();
let notebook: string;

async function fresh(run: () => Promise<void>): Promise<void> {
  notebook = await createScratch(api);
  try {
    await run();
  } finally {
    await removeScratch(api, notebook);
  }
}

const today = () => api.data<string>("template/renderSprig", { template: '{{now | date "20060102"}}' });
const create = () => api.data<{ id: string }>("filetree/createDailyNote", { notebook });

describe("daily notes", { timeout: 30_000 }, () => {
  test("a note is made with its parents, one empty paragraph and a mark; then it is answered again", () =>
    fresh(async () => {
      const { id } = await create();
      const day = await today();
      const { ial } = await api.data<{ ial: Record<string, string> }>("block/getDocInfo", { id });
      expect(ial[`custom-dailynote-${day}`]).toBe(day);
      const path = await api.data<string>("filetree/getHPathByID", { id });
      expect(path).toMatch(/^\/daily note\/\d{4}\/\d\d\/\d{4}-\d\d-\d\d$/);
      expect(await api.children(id)).toHaveLength(1);
      expect((await create()).id).toBe(id);
    }));

  test("a document at the path becomes the note and gets the mark", () =>
    fresh(async () => {
      await api.data("notebook/setNotebookConf", { notebook, conf: { dailyNoteSavePath: "/ fixed " } });
      const id = await api.document(notebook, "mine", "/fixed");
      expect((await create()).id).toBe(id);
      expect(await api.kramdown(id)).toMatch(/mine[\s\S]*custom-dailynote-\d{8}/);
    }));

  test("append goes behind and prepend before the first empty paragraph, which stays", () =>
    fresh(async () => {
      const add = async (end: string, data: string) =>
        firstOperation(
          await api.call<WriteAnswer[]>(`block/${end}DailyNoteBlock`, { notebook, dataType: "markdown", data }),
        );
      const { parentID } = await add("append", "last");
      expect((await create()).id).toBe(parentID);
      await add("prepend", "first");
      expect((await api.children(parentID)).map((block) => block.markdown ?? "")).toEqual(["first", "", "last"]);
    }));

  test("closed and unknown notebooks, and broken or empty path templates are refused", () =>
    fresh(async () => {
      expect((await api.call("filetree/createDailyNote", { notebook: missing })).code).toBe(1);
      await api.data("notebook/setNotebookConf", { notebook, conf: { dailyNoteSavePath: "/{{ nofunc }}" } });
      expect((await api.call("filetree/createDailyNote", { notebook })).code).toBe(-1);
      await api.data("notebook/setNotebookConf", { notebook, conf: { dailyNoteSavePath: "" } });
      expect((await api.call("filetree/createDailyNote", { notebook })).code).toBe(-1);
      await api.data("notebook/closeNotebook", { notebook });
      expect((await api.call("filetree/createDailyNote", { notebook })).code).toBe(1);
      const content = { dataType: "markdown", data: "x" };
      expect((await api.call("block/appendDailyNoteBlock", { notebook, ...content })).code).toBe(-1);
    }));
});
