// The -eval mode: console on stdout, Buffer, promises and timers.
console.log(JSON.stringify({ b: 1, a: [0.1, "é"] }), Buffer.from("hi").toString("hex"));
setTimeout(function () { Promise.resolve("later").then(function (text) { console.log(text); }); }, 1);
