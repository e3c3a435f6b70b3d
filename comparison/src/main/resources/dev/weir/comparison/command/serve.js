'use strict';

const POLL_MILLIS = 500;
const REDRAW_MILLIS = 100;
const MOST_PIPS = 60;
const ROWS = 15;
const FIELDS = ['retry-after', 'ratelimit-policy', 'ratelimit', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset',
  'cache-control', 'content-type'];

const at = id => document.getElementById(id);
let state = null;     // what the server said last
let heardAt = 0;      // when, by the page's own steady clock
let polling = false;

const sinceHeard = () => performance.now() - heardAt;
const seconds = millis => (Math.ceil(millis / 100) / 10).toFixed(1) + ' s';
const clock = millis => {
  const time = new Date(millis);
  return time.toTimeString().slice(0, 8) + '.' + String(time.getMilliseconds()).padStart(3, '0');
};

function element(name, className, text) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function trouble(text) {
  document.body.classList.toggle('stale', state === null);
  if (at('trouble').textContent !== text) at('trouble').textContent = text;
  at('trouble').hidden = !text;
}

async function poll() {
  if (polling) return;
  polling = true;
  try {
    const answer = await fetch('state', { cache: 'no-store' });
    if (!answer.ok) throw new Error('status ' + answer.status);
    state = await answer.json();
    heardAt = performance.now();
    trouble(state.remaining === null ? 'The store gives no answer, so requests get 503.' : '');
    show();
  } catch (e) {
    state = null;
    trouble('The server does not answer. Was it stopped? This page goes on asking.');
  }
  polling = false;
}

function show() {
  at('quota').textContent = state.quota;
  at('algorithm').textContent = state.algorithm;
  at('store').textContent = state.store;
  at('key').textContent = state.key;
  at('limit').textContent = state.limit.toLocaleString('en');
  const left = state.remaining;
  at('remaining').textContent = left === null ? '?' : left.toLocaleString('en');
  at('remaining').className = left === 0 ? 'none' : '';
  pips(left === null ? 0 : left, state.limit);
  const rows = state.decisions.slice(0, ROWS).map(row);
  if (rows.length) at('decisions').replaceChildren(...rows);
  redraw();
}

function pips(left, limit) {
  const box = at('pips');
  box.setAttribute('aria-valuemax', limit);
  box.setAttribute('aria-valuenow', left);
  const bar = limit > MOST_PIPS;
  box.classList.toggle('bar', bar);
  const count = bar ? 1 : limit;
  while (box.children.length > count) box.lastChild.remove();
  while (box.children.length < count) box.append(element('i'));
  [...box.children].forEach((pip, i) => {
    pip.className = bar || i < left ? 'full' : '';
    pip.style.width = bar ? 100 * left / limit + '%' : '';
  });
}

function row(decision) {
  const made = element('tr');
  const known = 'allowed' in decision;
  made.append(
    element('td', '', clock(decision.at)),
    element('td', '', decision.request),
    element('td', decision.allowed ? 'yes' : 'no', !known ? '503 no answer' : decision.allowed ? 'admitted' : '429 denied'),
    element('td', '', known ? decision.remaining.toLocaleString('en') : ''),
    element('td', '', known && !decision.allowed ? (decision.retryAfterMillis / 1000).toFixed(3) + ' s' : ''));
  return made;
}

/** What moves with time alone. */
function redraw() {
  if (!state) return;
  const passed = sinceHeard();
  if (state.remaining === null) {
    at('next').textContent = at('reset').textContent = '';
  } else {
    const wait = state.retryAfterMillis - passed;
    at('next').textContent = wait > 0 ? 'the next request is admitted in ' + seconds(wait) : 'the next request is admitted';
    const reset = state.resetAfterMillis - passed;
    at('reset').textContent = reset > 0 ? 'all is back in ' + seconds(reset) : 'nothing is used';
    if (state.retryAfterMillis > 0 && wait <= 0 || state.resetAfterMillis > 0 && reset <= 0) poll();
  }
  timeline(state.now + passed);
}

function timeline(now) {
  const span = 2 * state.windowMillis;
  const box = at('timeline');
  box.querySelectorAll('i').forEach(tick => tick.remove());
  for (const decision of state.decisions) {
    const age = now - decision.at;
    if (age > span) break;
    const tick = element('i', decision.allowed ? 'yes' : 'no');
    tick.style.left = 100 - 100 * Math.max(0, age) / span + '%';
    box.append(tick);
  }
  const shaded = state.algorithm.startsWith('sliding') ? state.windowMillis
    : state.algorithm === 'fixed-window' ? now % state.windowMillis : 0;
  at('shaded').hidden = shaded === 0;
  at('window').style.width = 100 * shaded / span + '%';
  at('from').textContent = '-' + span / 1000 + ' s';
}

async function ask() {
  const answer = await fetch('api/ping', { cache: 'no-store' });
  const lines = ['HTTP ' + answer.status];
  for (const name of FIELDS) if (answer.headers.has(name)) lines.push(name + ': ' + answer.headers.get(name));
  at('answer').textContent = lines.join('\n') + '\n\n' + (await answer.text()).trim();
  at('answer').classList.remove('quiet');
  return answer;
}

async function asked(times) {
  await Promise.allSettled(Array.from({ length: times }, ask));
  await poll();
}

async function keepAsking() {
  while (at('keep').checked) {
    let pause = 300;
    try {
      const answer = await ask();
      if (!answer.ok) pause = 1000 * Number(answer.headers.get('retry-after') || 1);
    } catch (e) {
      pause = 2000;
    }
    await poll();
    await new Promise(resolve => setTimeout(resolve, pause));
  }
}

at('curl').textContent = 'curl -i ' + location.origin + '/api/ping';
at('one').addEventListener('click', () => asked(1));
at('ten').addEventListener('click', () => asked(10));
at('keep').addEventListener('change', keepAsking);
setInterval(() => document.hidden || poll(), POLL_MILLIS);
setInterval(() => document.hidden || redraw(), REDRAW_MILLIS);
poll();
