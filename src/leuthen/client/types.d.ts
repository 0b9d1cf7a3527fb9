// What goes over the wire. Made by `python -m tools.clienttypes`; do not edit.

/**
 * The reason why something is not allowed: rule, sentence, and the hex if it is about one.
 */
export interface Objection {
  rule: string;
  text: string;
  place?: string;
}

/**
 * A state of a piece: a short code (demoralized, quartered, besieged, besieging, unsupplied, moving…), a letter or
 * two for the counter, a sentence and the rule.
 */
export interface Badge {
  code: string;
  mark: string;
  text: string;
  rule: string;
}

/**
 * A leader on a counter, with ratings such as "3-2-1".
 */
export interface Chip {
  id: number;
  name: string;
  ratings: string;
}

/**
 * A counter: a side's stack in a hex, in the field or inside, as the viewer knows it.
 *
 * `side` is 0, 1, or 2 for neutrals. `strength` is the text on the counter: "12", "4–9", "10+", "?", "–" for leaders
 * alone, "W4" for a train. `load` is the supply carried. `low` and `high` bound the strength; `high` may be NO_BOUND.
 * `sp` has pairs of power and number where they are known. `lines` are the details for hovering, `spoken` is one
 * sentence for a screen reader.
 */
export interface Piece {
  place: string;
  side: number;
  inside: boolean;
  power: number;
  title: string;
  ratings: string;
  strength: string;
  low: number;
  high: number;
  is_known: boolean;
  spoken: string;
  since?: string;
  badges?: Badge[];
  lines?: string[];
  leaders?: Chip[];
  sp?: [number, number][];
  load?: string;
}

/**
 * Another object on the map, such as a depot or a wagon. `mark` is its letter.
 */
export interface Marker {
  place: string;
  side: number;
  kind: string;
  mark: string;
  text: string;
  power?: number;
}

/**
 * A fortress: owner, whether SP hold it, its present VP, and the state of its siege.
 */
export interface HeldFortress {
  side: number;
  is_held: boolean;
  points: number;
  text: string;
  siege?: string;
}

/**
 * A pair of numbers, side 0 first, such as VP or prisoners; −1 if the viewer does not know it. `is_ratio` means
 * that the ratio counts, not the difference. `now` is the result if the game ended now: "draw (Prussia +5)".
 */
export interface Score {
  id: string;
  label: string;
  values: [number, number];
  text: string;
  rule: string;
  is_ratio?: boolean;
  now?: string;
}

/**
 * A line of the sequence of play; `when` is past, now or next, `group` the part of the sequence.
 */
export interface Stage {
  name: string;
  rule: string;
  when: string;
  side?: number;
  group?: string;
}

/**
 * A power: its side (2: neutral), and a text if it has surrendered or may not fight.
 */
export interface PowerStatus {
  side: number;
  text: string;
}

/**
 * A line of the order of battle: a leader or troops, with place and strength as they are known.
 */
export interface MusterEntry {
  name: string;
  text: string;
  place?: string;
  strength?: string;
}

/**
 */
export interface Muster {
  power: number;
  side: number;
  entries: MusterEntry[];
}

/**
 * A token in a tray: `when` is past (already out), now, or next (still in).
 */
export interface Token {
  side: number;
  mark: string;
  when: string;
  text: string;
}

/**
 * Tokens beside the map, such as a cup of chits.
 */
export interface Tray {
  title: string;
  text: string;
  tokens: Token[];
}

/**
 * A side of a battle: commander, strength at the beginning and now, and the part that is engaged.
 *
 * Numbers are -1 if the viewer does not know them. `troops` are its leaders with their strengths.
 */
export interface Contender {
  role: string;
  title: string;
  ratings: string;
  began: number;
  now: number;
  engaged?: number;
  engagement?: string;
  lost?: number;
  states?: string[];
  troops?: MusterEntry[];
}

/**
 * A battle in progress, side 0 first; `part` is the present part of the round, `unit` the unit of strength.
 */
export interface Versus {
  place: string;
  title: string;
  rule: string;
  round: number;
  part: string;
  unit: string;
  sides: [Contender, Contender];
}

/**
 * The progress of a siege: a value, of `most` where there is a last one; `text` says it ("1 of 3 breaches"),
 * `lines` give what the next rolls need.
 */
export interface Meter {
  place: string;
  side: number;
  title: string;
  rule: string;
  value: number;
  text: string;
  most?: number;
  lines?: string[];
}

/**
 * A position as a table shows it to one viewer. The keys of pieces, markers and holdings are stable.
 *
 * A piece's key is hex, side and f(ield) or i(nside), as in "1623-0f"; m for a force on the move, pf and pi for a
 * planned one. A marker's key is hex, side and kind; a holding's key is its hex.
 */
export interface Scene {
  viewer: number;
  title: string;
  phase: string;
  year: number;
  turn: number;
  phasing: number;
  pieces: Record<string, Piece>;
  markers: Record<string, Marker>;
  holdings: Record<string, HeldFortress>;
  scores: Score[];
  stages: Stage[];
  powers: PowerStatus[];
  musters: Muster[];
  notes?: string[];
  place?: string;
  trays?: Tray[];
  versus?: Versus;
  meters?: Meter[];
  result?: string;
}

/**
 * A cell of a table of the game, by the headings of its row and column.
 */
export interface Spot {
  table: string;
  row: string;
  column?: string;
}

/**
 * The luck of a roll for a side: the probability of a worse result, plus half that of an equal one (0 to 1).
 */
export interface Luck {
  side: number;
  value: number;
}

/**
 * The fate of a leader: `killed`, `captured` or `freed`, and the words, "is captured at Kolin".
 */
export interface Fate {
  leader: string;
  fate: string;
  how: string;
}

/**
 * An event in the chronicle: its sentence, dice, rule, and the hexes it is about.
 *
 * `side` acts and `hurts` suffers (2: neither). `is_small` hides the entry in a terse chronicle. `steps` lead from the
 * die to the total. `topic` is "turn" or "opening" where a turn or battle begins, "battle" or "siege" where an event
 * settles one, "politics", "leaders" or "strength" for news of the year, "attempt" for a roll that may bring such
 * news, "declined" where a side lets something pass. `battle` is the report of a finished battle, `gained` the
 * fortress that passes to `side`, `round` the round of battle that it opens. `losses` has, for each side, its first
 * strength and its losses. `is_sum` marks the sum of two dice. `brief` is the text without the side. `lost` is a force
 * that it destroys; `fates` are those of leaders.
 */
export interface LogEntry {
  event: string;
  text: string;
  rule: string;
  side?: number;
  hurts?: number;
  is_small?: boolean;
  places?: string[];
  path?: string[];
  dice?: number[];
  steps?: string[];
  spot?: Spot;
  luck?: Luck[];
  topic?: string;
  round?: number;
  losses?: [number, number][];
  is_sum?: boolean;
  brief?: string;
  battle?: BattleReport;
  gained?: string;
  lost?: LostForce;
  fates?: Fate[];
}

/**
 * A side of a battle: commander, strength (−1: unknown), losses, and prisoners taken from it besides.
 */
export interface BattleSide {
  commander: string;
  strength: number;
  lost: number;
  taken?: number;
}

/**
 * A battle, side 0 before side 1. `winner` is 2 if neither won, `unit` the unit of strength, `history` a sentence
 * on the real war at this place.
 */
export interface BattleReport {
  name: string;
  place: string;
  attacker: number;
  winner: number;
  unit: string;
  sides: [BattleSide, BattleSide];
  history?: string;
}

/**
 * A force that was lost whole without a battle, with the first of the leaders captured with it, or "".
 */
export interface LostForce {
  side: number;
  place: string;
  strength: number;
  unit: string;
  how: string;
  commander?: string;
}

/**
 * A legal answer: its token, label and price. `is_hopeless` means that it cannot succeed, or gains nothing.
 */
export interface Choice {
  token: string;
  label: string;
  price?: string;
  place?: string;
  is_hopeless?: boolean;
}

/**
 */
export interface Barred {
  token: string;
  label: string;
  reason: Objection;
  place?: string;
}

/**
 * One question of a form, with its answer so far.
 *
 * `key` names it ("leader", "companions.0", "sp.3"); questions of one `name` belong together. `kind` is the input
 * control: `word` (the action), `leader`, `count`, `hex`, `path`, `flag` (no or yes), `power`. `value` is the present
 * token, "" for none; `is_given` means that the player chose it.
 */
export interface FormField {
  key: string;
  name: string;
  kind: string;
  label: string;
  choices: Choice[];
  barred?: Barred[];
  value?: string;
  is_given?: boolean;
}

/**
 * A hex in reach: the hex before it, the price of the last step, MP left and spent, and whether the leg ends.
 */
export interface Reached {
  before: string;
  price: string;
  left: number;
  spent: number;
  stops?: boolean;
}

/**
 * An order in the making: its questions in turn, the last one open unless `order` is set.
 *
 * `order` is the finished order in the record's notation. `refused` has the refused choices. `summary` describes the
 * effect of the order, `reach` the hexes in reach, `odds` its chances, `halts` the ways to end its march in the same
 * order. `neutral` is the order that changes nothing, "" if every answer is final.
 */
export interface Form {
  fields: FormField[];
  order?: string;
  refused?: Objection[];
  summary?: string[];
  start?: string;
  reach?: Record<string, Reached>;
  odds?: Odds;
  halts?: Choice[];
  neutral?: string;
}

/**
 * A typed line: replacements of its last word, and the `order` that it stands for in the record's notation.
 *
 * `partial_order` has the choices that make the order; `doubt` is a warning to confirm. Without an order, `refused`
 * is the reason.
 */
export interface OrderLine {
  words?: Choice[];
  order?: string;
  partial_order?: Record<string, string>;
  doubt?: string;
  refused?: Objection;
}

/**
 * A result with its probability, as an exact fraction and as a number.
 */
export interface OddsResult {
  label: string;
  odds: string;
  chance: number;
  value?: number;
}

/**
 * The distribution of a number, from the lowest value up.
 */
export interface Spread {
  label: string;
  side: number;
  parts: OddsResult[];
}

/**
 * The odds for one strength of the enemy: results, distributions, and the effect of each die.
 */
export interface OddsCase {
  label: string;
  results: OddsResult[];
  spreads?: Spread[];
  rolls?: string[];
}

/**
 * Exact odds, for every strength that the enemy may have.
 */
export interface Odds {
  title: string;
  rule: string;
  cases: OddsCase[];
  notes?: string[];
  spots?: Spot[];
}

/**
 */
export interface About {
  place: string;
  title: string;
  lines: string[];
}

/**
 * The mark of a layer on a hex: level 1 (faint) to 4, side (2: none), and a text. `value` is the number in the
 * text, if any.
 */
export interface Shade {
  level: number;
  side?: number;
  text?: string;
  value?: number;
}

/**
 * A line of a layer, hex by hex.
 */
export interface Trace {
  path: string[];
  side?: number;
  text?: string;
}

/**
 * A layer over the map, made from the viewer's knowledge; `notes` state its assumptions.
 */
export interface Layer {
  id: string;
  title: string;
  shades: Record<string, Shade>;
  lines?: Trace[];
  notes?: string[];
}

/**
 * A warning before a phase ends, with its rule.
 */
export interface Left {
  text: string;
  rule: string;
  place?: string;
}

/**
 * A power of the game; `side` is 2 if its side may change.
 */
export interface PowerCard {
  name: string;
  letters: string;
  side: number;
  is_major: boolean;
}

/**
 * A leader, with ratings such as "3-2-1" and each rating by name.
 */
export interface LeaderCard {
  name: string;
  power: number;
  ratings: string;
  facts: [string, string][];
}

/**
 */
export interface FortressCard {
  name: string;
  place: string;
  province: string;
  power: number;
  kind: string;
  points: number;
  is_great: boolean;
}

/**
 * A name to jump to, historical or modern.
 */
export interface Town {
  name: string;
  place: string;
}

/**
 * A theatre of the war; `rows` are its hexes in rows from the south, "08:13-15,17-17 09:14-14".
 */
export interface TheatreCard {
  name: string;
  rows: string;
}

/**
 * A table of the game; the first cell of each row and the first column are headings.
 */
export interface TableCard {
  id: string;
  title: string;
  rule: string;
  columns: string[];
  rows: string[][];
  notes?: string[];
}

/**
 * A layer that can be laid over the map, with its key on the keyboard.
 */
export interface LayerCard {
  id: string;
  key: string;
  title: string;
  text: string;
  needs_place?: boolean;
}

/**
 * An option of the game: its values, the default first, and its effect.
 */
export interface OptionCard {
  name: string;
  values: string[];
  text: string;
}

/**
 * A scenario: a whole `war`, a single `year`, or for an `evening`. `turns` is the most turns (0: unknown), `par`
 * the first side's lead in even play, `minutes` the time that it takes against a machine (0: unknown), `ends` the year
 * and number of its last turn, `wins` how each side wins, and `hints` its advice for beginners.
 */
export interface ScenarioCard {
  name: string;
  text: string;
  kind?: string;
  years?: number;
  turns?: number;
  par?: number;
  minutes?: number;
  ends?: [number, number];
  wins?: [string, string];
  hints?: [string[], string[]];
}

/**
 * The constant data of a rule set that a client needs before it draws.
 */
export interface Setting {
  ruleset: string;
  title: string;
  version: string;
  sides: [string, string];
  powers: PowerCard[];
  leaders: LeaderCard[];
  fortresses: FortressCard[];
  towns: Town[];
  tables: TableCard[];
  layers: LayerCard[];
  scenarios: ScenarioCard[];
  options: OptionCard[];
  years: [number, number];
  turns: string[];
  winter?: number[];
  rulings?: string[];
  theatres?: TheatreCard[];
}

/**
 * News of a year of one kind, a line each; `details` lists it one by one where `lines` sum it up.
 */
export interface Tidings {
  heading: string;
  lines: string[];
  details?: string[];
}

/**
 */
export interface YearStory {
  year: number;
  sentences: string[];
  news?: Tidings[];
}

/**
 * The record of a commander: battles, victories, defeats, losses suffered and inflicted, and forces lost whole
 * (`overrun`).
 */
export interface CommanderRecord {
  name: string;
  side: number;
  battles: number;
  won: number;
  lost: number;
  suffered: number;
  inflicted: number;
  overrun?: number;
}

/**
 * The story of a war as one viewer may know it: its years in order, and its commanders.
 */
export interface Story {
  years: YearStory[];
  commanders: CommanderRecord[];
  unit?: string;
  war?: string[];
}

/**
 * A device's contribution to the dice: link `number` of its chain `chain` (both from 1), and the number and head
 * of the last block that it has seen. See docs/proof.md.
 */
export interface Share {
  chain: number;
  number: number;
  link: string;
  seen: number;
  head: string;
}

/**
 * The number and head of the last block that a device has seen.
 */
export interface SeenBlock {
  blocks: number;
  head: string;
}

/**
 * Registers a device for the dice: the top and length of its chain, and the reason for the chain: `first` of the
 * seat, another `device`, or the previous one is `lost` or `used-up`.
 */
export interface NewChain {
  top: string;
  length?: number;
  why?: string;
}

/**
 * The display name and colour of a player or spectator; "" for none.
 *
 * A name that resembles a bot, the umpire or a player is refused.
 */
export interface DisplayName {
  name?: string;
  colour?: string;
}

/**
 * A new name and colour. The request is refused if the name is no longer `was`.
 */
export interface Rename {
  name?: string;
  colour?: string;
  was?: DisplayName;
}

/**
 * Creates a game. A player is `me` (this browser), `link` (invited by link), or a bot's name.
 *
 * Twice `me` is a game at one screen.
 */
export interface NewGame {
  players: [string, string];
  ruleset?: string;
  scenario?: string;
  options?: Record<string, string>;
  title?: string;
  helps?: boolean;
  takebacks?: string;
  sitting?: [DisplayName, DisplayName];
  pace?: string;
  chain?: NewChain;
}

/**
 * Creates a game of a lesson or a drill.
 */
export interface Learn {
  name: string;
}

/**
 * Accepts an invitation by its secret, which is the fragment of its link and works once.
 *
 * A browser is identified by its cookie afterwards, a program by the secret `key` that it chooses and sends as a
 * bearer token. A repeated request gets the same answer.
 */
export interface TakeSeat {
  secret: string;
  key?: string;
  sitter?: DisplayName;
}

/**
 * Creates an invitation: without `side` to one's own seat, else to an open seat or for spectators (2).
 *
 * Older invitations to a seat become void; those for spectators remain valid unless `ends` is set. With `ends` the
 * other devices of the seat are signed out.
 */
export interface NewLink {
  side: number;
  ends: boolean;
}

/**
 * Marks the devices of the seat up to this number as seen by the owner.
 */
export interface DevicesSeen {
  number: number;
}

/**
 * An action in the record's notation. `seen` is the last number of the seat that the client has.
 *
 * `halt` is a neutral follow-up answer, such as the "halt" of a march. It is given at once unless something comes
 * between: another player's answer, a die, a revelation, or fighting.
 */
export interface Order {
  seen: number;
  key: string;
  order: string;
  halt?: string;
  share?: Share;
}

/**
 * An action outside the rules.
 *
 * `do` is `undo`, `go-on`, `resign`, `offer-draw`, `offer-rematch`, `ask-takeback`, `ask-pace` (the other one), `roll-
 * alone` (the die that waits for the opponent's browser), `accept`, `decline` or `withdraw`.
 * For a takeback, `to` is the seat's number before which the game resumes. `offer` is the kind of the offer that is
 * answered; the request is refused if the offer has changed (for a takeback also if `to` differs). `until` ends `go-
 * on`: the `phase`, the `turn`, or the next `event`; with `theatre` it lasts for the turn and covers only questions
 * about the named `theatres`.
 */
export interface TableMove {
  seen: number;
  key: string;
  do: string;
  to?: number;
  offer?: string;
  until?: string;
  theatres?: string[];
  share?: Share;
}

/**
 * Requests the form of an order with these choices.
 */
export interface FormRequest {
  partial_order?: Record<string, string>;
}

/**
 * Replaces the seat's standing instruction by these clauses; none revoke it.
 */
export interface Instruct {
  seen: number;
  key: string;
  clauses?: string[];
  share?: Share;
}

/**
 * Gives an army a mission ("Daun besiege Dresden") or removes it ("drop Daun").
 */
export interface GiveMission {
  mission: string;
}

/**
 * Lets the staff continue its plan. `asks` is the staff's question that the player has seen, or ""; signing
 * approves its proposal.
 */
export interface SignPlan {
  seen: number;
  asks: string;
}

/**
 * A chat line.
 */
export interface Say {
  key: string;
  text: string;
}

/**
 * A seat's private notes: text, and arrows and pins on the map.
 *
 * `version` counts the saves. Send the version that was edited; if others were saved in the meantime, the request is
 * refused (409).
 */
export interface Notes {
  text?: string;
  arrows?: string[][];
  pins?: [string, string][];
  version?: number;
}

/**
 * An army's mission in the staff's plan: commander, all leaders, strength and position; kind and place ("" for
 * none); goal, reasons, rule, and odds in per cent (null: none).
 *
 * `is_yours` marks a mission given by the player; `path` is this turn's way; `price` the strength that it costs, or ""
 * if unknown.
 */
export interface StaffMission {
  leader: string;
  names: string[];
  men: string;
  at: string;
  kind: string;
  place: string;
  goal: string;
  reasons: string[];
  rule: string;
  odds: number | null;
  is_yours: boolean;
  path: string[];
  price: string;
}

/**
 * An order that the staff would give: its line, text, rule, and the path of a march. `asks` is the reason to ask
 * the player first.
 */
export interface StaffStep {
  order: string;
  text: string;
  rule: string;
  path: string[];
  asks: string;
}

/**
 * The staff's plan for the turn: missions, the orders until the end of the turn (tried in a sampled world), the
 * kinds of missions, and a note on an earlier plan, or "".
 */
export interface StaffPlan {
  missions: StaffMission[];
  steps: StaffStep[];
  kinds: string[];
  word: string;
}

/**
 * The state of a seat's staff. It carries out the plan while `is_at_work`; else, if the plan is signed, it
 * `asks` a question about the `order` with this `text`. `topic` is the topic that a signature delegates, or "" for
 * this order only.
 */
export interface StaffCard {
  is_at_work: boolean;
  is_signed: boolean;
  asks: string;
  topic: string;
  order: string;
  text: string;
  word: string;
}

/**
 * An order that the bot recommends from the seat's knowledge, with a sentence and reasons.
 *
 * `partial_order` has its choices in the form, so that it can be shown and changed.
 */
export interface Advice {
  order: string;
  text: string;
  partial_order: Record<string, string>;
  reasons: string[];
}

/**
 * A seat: its public id for its own browser (else ""), side (2: spectators), the side's name, and `who`: `person`,
 * `open` (an unused invitation), `watcher`, or a bot's name.
 *
 * `player` is a person's name with its `colour` (each may be ""), or a bot's title; a bot introduces itself with
 * `greeting`.
 */
export interface SeatLine {
  side: number;
  name: string;
  who: string;
  seat: string;
  player: string;
  colour: string;
  greeting: string;
}

/**
 * A game on the home page. `scenario` describes its scenario ("" for a lesson), `since` is when the current
 * decision began, in ISO 8601; `unplayable` the reason why the game cannot go on.
 */
export interface GameLine {
  game: string;
  title: string;
  ruleset: string;
  date: string;
  waiting: string[];
  since: string;
  is_your_turn: boolean;
  seats: SeatLine[];
  result: string;
  unplayable: string;
  scenario: string;
}

/**
 * The games of this browser, those that wait for it first.
 */
export interface Home {
  games: GameLine[];
}

/**
 * A bot: name, title, strength and style, and greeting.
 */
export interface BotLine {
  name: string;
  title: string;
  text: string;
  greeting: string;
}

/**
 * A rule set: name, title, and its bots, the default first.
 */
export interface RulesetLine {
  name: string;
  title: string;
  bots: BotLine[];
}

/**
 * A seat of a new game. `link` is its invitation, shown only to the creator.
 */
export interface CreatedSeat {
  side: number;
  name: string;
  who: string;
  seat: string;
  link: string;
}

/**
 * A new game: its seats and the invitation for spectators.
 */
export interface CreatedGame {
  game: string;
  seats: CreatedSeat[];
  watch: string;
}

/**
 * The number of replayed lines of an import; 0 of 0 while the record is read, and for an unknown import.
 */
export interface ImportProgress {
  done: number;
  total: number;
}

/**
 * A new invitation, shown once.
 */
export interface Link {
  link: string;
}

/**
 * The description of this browser among the devices of a seat.
 */
export interface BrowserLabel {
  what: string;
}

/**
 * The seat of an accepted invitation: its public id and its page. `link` is an invitation for another device of
 * the same player, shown once; "" for spectators and for a device that had the seat already.
 */
export interface TakenSeat {
  seat: string;
  page: string;
  link: string;
}

/**
 * A browser or program on one's seat: description, start, and last use (to ten minutes).
 *
 * `is_new` marks a device that the owner has not seen in the list yet. `since` may be "".
 */
export interface Device {
  number: number;
  what: string;
  since: string;
  seen: string;
  is_this: boolean;
  is_new: boolean;
}

/**
 * All devices of one's seat, and whether an open invitation leads to it.
 */
export interface Devices {
  devices: Device[];
  has_link: boolean;
}

/**
 * A pending decision, as the seat may know it.
 */
export interface Awaited {
  side: number;
  name: string;
  decision: string;
  rule: string;
  text: string;
  is_yours: boolean;
}

/**
 * An offered draw, takeback, pace (`pace-live`, `pace-correspondence`) or rematch. `uncovers` lists what a takeback
 * would undo, to the seat's knowledge.
 */
export interface Proposal {
  kind: string;
  side: number;
  text: string;
  uncovers: string[];
  to: number;
}

/**
 * A clause of a standing instruction: its line, its sentence, and why it can never apply, or "".
 */
export interface ClauseLine {
  text: string;
  label: string;
  dead: string;
}

/**
 * A seat's standing instruction. `stopped` is the surprise that suspended it until it is given again.
 */
export interface StandingInstruction {
  clauses: ClauseLine[];
  is_armed: boolean;
  stopped: string;
}

/**
 * The signed status of a game's proof: number of blocks and last head; that block's body and pending links (`place
 * side`, or ""); the seat's own count and head.
 *
 * `signature` covers the checkpoint of docs/proof.md. `waiting` is the side whose link is awaited, or -1; `shares`
 * tells which sides contribute to the dice, `pace` the present pace, and `alone` how many dice a side rolled without
 * the other.
 */
export interface SealStatus {
  blocks: number;
  head: string;
  body: string;
  waits: string;
  own: number;
  own_head: string;
  signature: string;
  waiting: number;
  shares: [boolean, boolean];
  pace: string;
  alone: number;
}

/**
 * A chain of the seat: number, length, number of used links, and the last of them (at first its top).
 */
export interface OwnChain {
  number: number;
  length: number;
  given: number;
  last: string;
}

/**
 * The proof's parameters for a seat: the commitment to the server's secret, the public key, the pace with which the
 * game began and whether it can be switched, the record's names of the sides, the seat's chains, and the status.
 */
export interface SealCard {
  commit: string;
  key: string;
  sides: [string, string];
  pace: string;
  can_switch: boolean;
  chains: OwnChain[];
  now: SealStatus;
}

/**
 * The last block that the devices of a side have seen, forwarded between devices unchanged.
 */
export interface LastSeenBlock {
  side: number;
  blocks: number;
  head: string;
}

/**
 * The public part of a block of the proof; its head follows from it.
 */
export interface ProofBlock {
  body: string;
  waits: string;
}

/**
 * Consecutive blocks of the proof.
 */
export interface Blocks {
  blocks: ProofBlock[];
}

/**
 * An update of a seat's stream. `n` is the seat's own number.
 *
 * `entries` are new log entries, `dropped` the number of void ones before them. `patch` changes the scene (JSON merge
 * patch, RFC 7396); the other fields are complete. `redo` is the order that was taken back last and may be given
 * again, or ""; `since` is when the present decision or wait began.
 */
export interface SeatUpdate {
  n: number;
  entries: LogEntry[];
  dropped: number;
  patch: Record<string, unknown>;
  awaited: Awaited[];
  can_undo: boolean;
  redo: string;
  proposals: Proposal[];
  standing: StandingInstruction | null;
  seal: SealStatus | null;
  staff: StaffCard | null;
  since: string;
}

/**
 * The complete state of a seat, for a page that opens or has missed too much.
 *
 * `standing` is null if the rule set has no instructions, `seal` if nothing is proved, `staff` if the seat has none.
 * `unplayable` is the reason why the game cannot go on, or "". `takebacks` is `never`, `consent` or `free`.
 */
export interface SeatSnapshot {
  game: string;
  title: string;
  ruleset: string;
  scenario: string;
  options: Record<string, string>;
  side: number;
  n: number;
  scene: Scene;
  awaited: Awaited[];
  can_undo: boolean;
  redo: string;
  proposals: Proposal[];
  seats: SeatLine[];
  since: string;
  has_ended: boolean;
  helps: boolean;
  takebacks: string;
  standing: StandingInstruction | null;
  unplayable: string;
  seal: SealCard | null;
  staff: StaffCard | null;
}

/**
 * A line of the chronicle: its number, its turn (an index into `Turns`), and the log entry.
 */
export interface ChronicleLine {
  n: number;
  turn: number;
  entry: LogEntry;
}

/**
 * Lines of the chronicle, oldest first, and whether there are earlier ones.
 */
export interface ChroniclePage {
  lines: ChronicleLine[];
  more: boolean;
}

/**
 * A turn on the timeline: its date, the number with which it began, and the scores at that time.
 */
export interface TurnMark {
  n: number;
  year: number;
  turn: number;
  scores: Record<string, [number, number]>;
}

/**
 * The turns so far, as the seat saw them.
 */
export interface Turns {
  turns: TurnMark[];
}

/**
 * The scene after the seat's number `n`, as the seat saw it then.
 */
export interface PastScene {
  n: number;
  scene: Scene;
}

/**
 * The result of a stored action: the seat's number that reports it, and the receipt `seal`.
 */
export interface OrderResult {
  n: number;
  seal: SealStatus | null;
}

/**
 * The front as a seat knows it, in words.
 */
export interface Front {
  text: string;
}

/**
 * The tasks that remain in this phase.
 */
export interface LeftUndone {
  left: Left[];
}

/**
 * A rule: number, Markdown, and HTML in which `data-rule` marks the numbers of other rules.
 */
export interface RuleLine {
  number: string;
  text: string;
  html: string;
}

/**
 * A chapter of the rulebook.
 */
export interface Chapter {
  title: string;
  rules: RuleLine[];
}

/**
 * The rulebook of a rule set.
 */
export interface RulebookPage {
  chapters: Chapter[];
}

/**
 * A chat line.
 */
export interface ChatLine {
  n: number;
  side: number;
  at: string;
  text: string;
}

/**
 * The chat of a game.
 */
export interface Chat {
  lines: ChatLine[];
}

/**
 * The sides that are online; for players also the named spectators.
 */
export interface Presence {
  sides: number[];
  watchers?: DisplayName[];
}

/**
 * The server stops: reconnect after this many milliseconds.
 */
export interface Reconnect {
  wait: number;
}

/**
 * An error (RFC 9457): what went wrong and what to do. `rule` and `place` are set when a rule refuses; `n` is
 * the current number if the client had not seen everything.
 */
export interface Problem {
  status: number;
  title: string;
  detail: string;
  rule: string;
  place: string;
  n: number;
}

/**
 * A lesson in the list: its subject and duration in minutes.
 *
 * `begun` is one's own seat in the latest unfinished game of it, or "".
 */
export interface LessonCard {
  name: string;
  ruleset: string;
  title: string;
  about: string;
  minutes: number;
  begun: string;
}

/**
 * The lessons in their recommended order.
 */
export interface School {
  lessons: LessonCard[];
}

/**
 * The progress of a lesson: `done` of its `steps`, the text to show, and what to highlight.
 *
 * `stray` comments on an unexpected action, `remark` on a rule that matters for the first time. `press` is the kind of
 * order to highlight, `point` are places. `partial_order` has the form choices of a model order, if it is legal now,
 * and `order` its line. `back` is the pupil's number of the last order, for a takeback to it, or 0. At the end, `say`
 * is the closing text and `next` the following lesson.
 */
export interface LessonState {
  name: string;
  title: string;
  goal: string;
  done: number;
  steps: number;
  say: string;
  stray: string;
  remark: string;
  point: string[];
  press: string;
  order: string;
  partial_order: Record<string, string>;
  back: number;
  next: string;
  plain: boolean;
}

/**
 * A drill in the list: name, title, and the rules that it covers.
 */
export interface DrillLine {
  name: string;
  title: string;
  rules: string[];
}

/**
 * The drills on one subject, in learning order.
 */
export interface DrillChapter {
  title: string;
  drills: DrillLine[];
}

/**
 * The drills of a rule set, by chapter.
 */
export interface Drills {
  chapters: DrillChapter[];
}

/**
 * An order that a drill asks about: its line and its text.
 */
export interface DrillOrder {
  order: string;
  text: string;
}

/**
 * A drill at the table: its rules, question, orders, and the places to highlight.
 *
 * After the answer: `is_right`, the meaning of the rule (`lesson`), the `allowed` orders, and the sentences about the
 * effects (`came`) of the order that the case carries out (`done`). `next` is the name of the next drill, or "".
 */
export interface DrillProgress {
  name: string;
  rules: string[];
  say: string;
  orders: DrillOrder[];
  is_answered: boolean;
  is_right: boolean;
  lesson: string;
  allowed: string[];
  done: string;
  came: string[];
  point: string[];
  next: string;
}

/**
 * The report on an ended game, or its progress: `done` of `total` decisions in a stage.
 *
 * `stage` is "" before the first request, then `begun`, `decisions`, `doubtful decisions` and `done`; or `failed` or
 * `none`, with the reason in `said`. `news` are the seat's numbers at which the highlights begin.
 */
export interface ReportStatus {
  stage: string;
  done: number;
  total: number;
  report: WarReport | null;
  news: number[];
  said: string;
}

/**
 * The first side's winning chance at the beginning of a turn, after a line of the record (0: before the first).
 *
 * `known` is the mean over worlds of each side's view, `open` the chance in the true position.
 */
export interface ChanceAt {
  line: number;
  date: [number, number];
  known: [number, number];
  open: number;
}

/**
 * A decision compared with the staff's, by the side's own knowledge.
 *
 * `cost` is the advantage of the staff's order in points, `error` its standard error over `worlds` with the same dice
 * for both. `why` is the staff's plan for the army.
 */
export interface Judgement {
  line: number;
  side: number;
  date: [number, number];
  decision: string;
  order: string;
  staff: string;
  why: string[];
  cost: number;
  error: number;
  worlds: number;
  grade: "large" | "medium" | "none" | "small";
}

/**
 * A roll, with the first side's gain in chance against the expectation.
 */
export interface DieLuck {
  line: number;
  date: [number, number];
  decision: string;
  answer: string;
  gain: number;
}

/**
 * The changes of the first side's winning chance: `final - initial` is the sum of the rest.
 *
 * `luck` sums the dice, `decisions` each side's errors as gains of the first side, `evaluator` the unexplained rest.
 */
export interface ChanceAccount {
  initial: number;
  final: number;
  luck: number;
  decisions: [number, number];
  evaluator: number;
}

/**
 * A belief about the strength of an enemy force: mean and bounds over worlds of the view, and the truth.
 */
export interface Belief {
  force: string;
  mean: number;
  least: number;
  most: number;
  truth: number;
}

/**
 * A decision or a die that mattered, with the side's beliefs beside the truth.
 */
export interface KeyMoment {
  line: number;
  points: number;
  judged: Judgement | null;
  luck: DieLuck | null;
  beliefs: Belief[];
}

/**
 * The report of one side: a function of its views and its orders alone.
 */
export interface SideReport {
  side: number;
  chances: number[];
  judged: Judgement[];
  alike: number;
  tried: number;
}

/**
 */
export interface WarReport {
  ruleset: string;
  sides: [string, string];
  evaluator: string;
  seed: string;
  outcome: string;
  chances: ChanceAt[];
  account: ChanceAccount;
  years: [number, ChanceAccount][];
  known: SideReport[];
  luck: DieLuck[];
  moments: KeyMoment[];
}
