// Go Fish (classic, 52 cards) on boardgame.io's own server, for bench_load.py: node server.js PORT,
// the lobby at PORT + 1. Matches are kept in memory, or in the PostgreSQL database named by DATABASE.
"use strict";

const { Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const RANKS = "A23456789TJQK";
const DEALT = { 2: 7, 3: 7 }; // five each for four players or more

function setup({ ctx, random }) {
  const pond = random.Shuffle([...RANKS].flatMap((rank) => [..."CDHS"].map((suit) => rank + suit)));
  const hands = {}, books = {};
  for (const seat of ctx.playOrder) {
    hands[seat] = pond.splice(0, DEALT[ctx.numPlayers] || 5);
    books[seat] = [];
  }
  const G = { pond, hands, books, asked: [] };
  ctx.playOrder.forEach((seat) => { lay(G, seat); refill(G, seat); });
  return G;
}

function lay(G, seat) {
  for (const rank of RANKS) {
    if (G.hands[seat].filter((card) => card[0] === rank).length === 4) {
      G.hands[seat] = G.hands[seat].filter((card) => card[0] !== rank);
      G.books[seat].push(rank);
    }
  }
}

function refill(G, seat) {
  if (!G.hands[seat].length) G.hands[seat].push(...G.pond.splice(0, 5));
}

function over(G) {
  return Object.values(G.books).flat().length === RANKS.length;
}

function ask({ G, playerID, events, ctx }, target, rank) {
  const mine = G.hands[playerID], theirs = G.hands[target];
  const holds = mine.some((card) => card[0] === rank);
  if (target === playerID || !theirs || !theirs.length || !holds) return INVALID_MOVE;
  const given = theirs.filter((card) => card[0] === rank);
  let again = given.length > 0;
  if (again) {
    G.hands[target] = theirs.filter((card) => card[0] !== rank);
    mine.push(...given);
  } else if (G.pond.length) {
    const card = G.pond.shift();
    mine.push(card);
    again = card[0] === rank;
  }
  G.asked.push([playerID, target, rank, given.length]);
  [playerID, target].forEach((seat) => { lay(G, seat); refill(G, seat); });
  if (over(G)) events.endGame({ books: G.books });
  else if (!again || !G.hands[playerID].length) next(G, ctx, playerID, events);
}

// The next seat to the left that can ask.
function next(G, ctx, seat, events) {
  const order = ctx.playOrder, at = order.indexOf(seat);
  const after = order.map((_, i) => order[(at + 1 + i) % order.length]);
  const able = (one) => G.hands[one].length && order.some((o) => o !== one && G.hands[o].length);
  const found = after.find(able);
  if (found === undefined) events.endGame({ books: G.books });
  else events.endTurn({ next: found });
}

// What one seat may see: its own hand, and only the size of the others and of the pond.
function playerView({ G, playerID }) {
  const hands = {};
  for (const seat of Object.keys(G.hands)) {
    hands[seat] = seat === playerID ? G.hands[seat] : G.hands[seat].length;
  }
  return { ...G, pond: G.pond.length, hands };
}

const game = {
  name: "gofish", setup, playerView, disableUndo: true,
  moves: { ask: { move: ask, client: false } },
};

// The lobby has its own port: on a shared one, the current koa does not find its routes.
const port = Number(process.argv[2]);
const lobbyConfig = { apiPort: port + 1 };
const kept = process.env.DATABASE;
const db = kept ? new (require("bgio-postgres").PostgresStore)(kept, { logging: false }) : undefined;
Server({ games: [game], origins: [/.*/], db }).run({ port, lobbyConfig }, () => console.log("ready"));
