// One operation of a transaction, with every field that SiYuan serialises.

export interface Operation {
  action: string;
  data: unknown;
  id: string;
  rootID: string;
  parentID: string;
  previousID: string;
  nextID: string;
  [extra: string]: unknown;
}

const unusedFields = {
  retData: null,
  blockIDs: null,
  blockID: "",
  deckID: "",
  avID: "",
  srcIDs: null,
  srcs: null,
  isDetached: false,
  name: "",
  type: "",
  format: "",
  keyID: "",
  rowID: "",
  isTwoWay: false,
  backRelationKeyID: "",
  removeDest: false,
  layout: "",
  groupID: "",
  targetGroupID: "",
  viewID: "",
  ignoreDefaultFill: false,
  context: null,
};

export function operation(action: string, fields: Partial<Operation>): Operation {
  return {
    action,
    data: null,
    id: "",
    rootID: "",
    parentID: "",
    previousID: "",
    nextID: "",
    ...unusedFields,
    ...fields,
  };
}

export interface Transaction {
  timestamp: number;
  doOperations: Operation[];
  undoOperations: null;
}

export function transaction(...doOperations: Operation[]): Transaction {
  return { timestamp: 0, doOperations, undoOperations: null };
}
