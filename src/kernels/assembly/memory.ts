// Numbers by the address of their array and their index in it.

@inline
export function at(p: usize, i: i32): f64 {
  return load<f64>(p + (<usize>i << 3));
}

@inline
export function put(p: usize, i: i32, value: f64): void {
  store<f64>(p + (<usize>i << 3), value);
}

@inline
export function intAt(p: usize, i: i32): i32 {
  return load<i32>(p + (<usize>i << 2));
}

@inline
export function putInt(p: usize, i: i32, value: i32): void {
  store<i32>(p + (<usize>i << 2), value);
}

/** Of the two lanes. */
@inline
export function sum(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}
